import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// `npm run production:check`: installs the server without its development dependencies in a folder of
// its own, starts it as described in the README, checks its health, and stops it.

const ROOT = join(import.meta.dirname, '..')
const PARTS = ['package.json', 'package-lock.json', '.npmrc', 'src', 'build']
/** Milliseconds in which the server must start, and stop. */
const DEADLINE = 30_000

const folder = mkdtempSync(join(tmpdir(), 'tidegate-production-'))
let npm: ChildProcess | undefined
try {
  await check()
  process.stdout.write('production: installed, started, answered and stopped\n')
} catch (error) {
  process.stderr.write(`production: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  npm?.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

async function check(): Promise<void> {
  const filter = (path: string) => basename(path) !== 'node_modules'
  for (const part of PARTS) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter })
  }
  // This script's own Node comes first in PATH, and must not be the one under test.
  const env = { ...process.env, PATH: pathWithoutProject() }
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', ['ci', '--omit=dev'], {
    cwd: folder,
    env,
    shell,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('npm ci --omit=dev failed')
  const data = join(folder, 'data')
  npm = spawn('npm', ['run', '-s', 'serve', '--', '--data', data, '--port', '0'], {
    cwd: folder,
    env,
    shell,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await addressOf(npm)
  const { ok } = await fetch(`${address}/healthz`)
  if (!ok) throw new Error('the server is not healthy')
  npm.kill('SIGTERM')
  const holder = join(data, 'server.json')
  const deadline = performance.now() + DEADLINE
  while (existsSync(holder)) {
    if (performance.now() > deadline) throw new Error('the server did not stop')
    await delay(50)
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the server has no output')
  const signal = AbortSignal.timeout(DEADLINE)
  let output = ''
  while (true) {
    const [chunk] = await once(stdout, 'data', { signal })
    output += String(chunk)
    const address = /listening on (\S+)\n/.exec(output)?.[1]
    if (address !== undefined) return address
  }
}

function pathWithoutProject(): string {
  const { PATH = '' } = process.env
  const separator = process.platform === 'win32' ? ';' : ':'
  return PATH.split(separator)
    .filter((part) => !part.startsWith(ROOT))
    .join(separator)
}
