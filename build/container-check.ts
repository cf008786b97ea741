/**
 * `npm run container:check`: checks the Dockerfile with a linter, carries out its steps in an empty folder, and runs
 * the result as its user. Images are not built: Docker is not needed, but npm's registry and root are.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { contextFiles } from './container/context.ts'
import { readDockerfile, wordsOf } from './container/dockerfile.ts'
import { type BuiltStage, buildStage } from './container/stage.ts'

const ROOT = join(import.meta.dirname, '..')
const DOCKERFILE = join(ROOT, 'build/container/Dockerfile')
const LINTER = 'dockerfile-utils@0.16.3'
/** Milliseconds in which the server must start, and stop. */
const DEADLINE = 30_000

const folder = mkdtempSync(join(tmpdir(), 'tidegate-container-'))
let server: ChildProcess | undefined
try {
  chmodSync(folder, 0o755)
  lint()
  if (process.getuid?.() === 0) await runImage(buildImage())
  else report('its steps were not carried out: that takes root, to run the result as its user')
} catch (error) {
  process.stderr.write(`container: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

function lint(): void {
  const { status } = spawnSync('npx', ['--yes', LINTER, 'lint', DOCKERFILE], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error('the linter found problems in the Dockerfile')
  report('the linter found no problems in the Dockerfile')
}

/** Returns the last stage, which becomes the image. */
function buildImage(): BuiltStage {
  const files = contextFiles(ROOT, `${DOCKERFILE}.dockerignore`)
  const stages = new Map<string, BuiltStage>()
  for (const [index, stage] of readDockerfile(readFileSync(DOCKERFILE, 'utf8')).entries()) {
    const root = join(folder, `stage-${index}`)
    const sources = { context: ROOT, files, stages }
    stages.set(stage.name ?? 'image', buildStage(root, stage.instructions, sources))
  }
  report(`its steps were carried out, with ${files.length} files as the build context`)
  const image = stages.get('image')
  if (image === undefined) throw new Error('the last stage has a name')
  return image
}

async function runImage(image: BuiltStage): Promise<void> {
  const programs = readdirSync(join(image.root, 'usr/local/bin'))
  if (programs.join() !== 'node') throw new Error(`the image has ${programs}`)
  if (health(image) === 0) throw new Error('the image is healthy before its server runs')
  const address = await start(image)
  while (health(image) !== 0) await delay(200)
  const page = await fetch(new URL('/console/', address))
  if (page.status !== 200) throw new Error(`the console answered ${page.status}`)
  exec(image, ['tidegate', 'app', 'create', 'editor'])
  await stop(image)
  if (health(image) === 0) throw new Error('the image is healthy without its server')
  await start(image)
  const apps = exec(image, ['tidegate', 'app', 'list'])
  if (!apps.includes('editor')) throw new Error(`the volume did not keep the data: ${apps}`)
  await stop(image)
  report('it ran as its user: healthy, with the console, stopped by its signal, data kept')
}

/** Runs the entrypoint with its command, on any free port. Resolves to the address of the server. */
async function start(image: BuiltStage): Promise<string> {
  const [command = '', ...args] = [...words(image, 'ENTRYPOINT'), ...words(image, 'CMD')]
  const started = spawn(command, args, {
    ...optionsOf(image, { TIDEGATE_PORT: '0', TIDEGATE_LOG_LEVEL: 'error' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  server = started
  let output = ''
  started.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  const deadline = performance.now() + DEADLINE
  while (started.exitCode === null && performance.now() < deadline) {
    const address = /listening on (\S+)\n/.exec(output)?.[1]
    if (address !== undefined) return address.replace('0.0.0.0', '127.0.0.1')
    await delay(50)
  }
  throw new Error(`the server did not start, exit code ${started.exitCode}`)
}

async function stop(image: BuiltStage): Promise<void> {
  const [name] = words(image, 'STOPSIGNAL')
  if (server === undefined || name !== 'SIGTERM') throw new Error(`the signal is ${name}`)
  const ended = once(server, 'exit', { signal: AbortSignal.timeout(DEADLINE) })
  server.kill(name)
  const [code] = await ended
  if (code !== 0) throw new Error(`the server ended with ${code}`)
}

/** Runs the health check, and returns its exit code. */
function health(image: BuiltStage): number | null {
  const instruction = image.described.get('HEALTHCHECK')
  const [, command = '[]'] = /^CMD (\[.*\])$/.exec(instruction?.rest ?? '') ?? []
  const [program = '', script = ''] = wordsOf({ name: 'CMD', flags: new Map(), rest: command })
  const args = [join(image.root, script)]
  return spawnSync(program, args, { ...optionsOf(image), stdio: 'ignore' }).status
}

function exec(image: BuiltStage, [program = '', ...args]: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...optionsOf(image),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

function words(image: BuiltStage, name: string): string[] {
  const instruction = image.described.get(name)
  return instruction === undefined ? [] : wordsOf(instruction)
}

/** As which user, and with which environment, the image runs. */
function optionsOf(image: BuiltStage, more: Readonly<Record<string, string>> = {}) {
  const [uid = 0, gid = 0] = (image.described.get('USER')?.rest ?? '').split(':').map(Number)
  if (uid === 0 || gid === 0) throw new Error('the image runs as root')
  // Docker sets HOME, to / for a user that the image does not name.
  return { uid, gid, cwd: '/', env: { HOME: '/', ...image.environment, ...more } }
}

function report(line: string): void {
  process.stdout.write(`container: ${line}\n`)
}
