import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../builders/folders.ts'
import { writeTool } from '../ci/tools.ts'
import { databaseVariables } from '../servers/engine.ts'
import { scriptFile } from '../workers/script-file.ts'
import { ROOT } from './page.ts'

/** Returns the environment of someone whose home is `folder`, so that it holds their data folder too. */
export function homeIn(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: folder, XDG_DATA_HOME: folder }
}

/** The same with the database of that home, on the engine of the run: not for what a page says about the files of SQLite. */
export async function homeWithData(folder: string): Promise<NodeJS.ProcessEnv> {
  return { ...homeIn(folder), ...(await databaseVariables(folder)) }
}

/**
 * Starts a server with a command of the documentation, on a free port instead of the one in it, and
 * returns its address. It is stopped after the test.
 */
export async function startServer(
  command: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const server = spawn('sh', ['-c', `exec ${onFreePort(command)}`], {
    cwd: ROOT,
    env: withQuickScripts(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // npm may exit before the server, which still holds its output then.
  const closed = new Promise((resolve) => server.once('close', resolve))
  onTestFinished(async () => {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
    await closed
  })
  const log = collect(server.stderr)
  return await new Promise((resolve, reject) => {
    server.once('close', (code) => reject(new Error(`the server ended with ${code}:\n${log.text}`)))
    server.stdout.once('data', (line) => resolve(addressIn(String(line))))
  })
}

/**
 * Puts a program in front of npm, which starts the scripts `tidegate` and `serve` itself, from the bundle: npm and the
 * sources take a second longer, for each command of a page. `test/server/cli/npm.test.ts` starts them by npm.
 */
function withQuickScripts(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const PATH = environment.PATH ?? ''
  const npm = `case "$1 $2 $3" in
    'run -s tidegate') command= ;;
    'run -s serve') command=serve ;;
    *) PATH='${PATH}' exec npm "$@" ;;
  esac
  shift 3
  [ "$1" != -- ] || shift
  exec '${process.execPath}' '${scriptFile('cli')}' $command "$@"`
  return { ...environment, PATH: [writeTool(temporaryFolder(), 'npm', npm), PATH].join(delimiter) }
}

/** Collects what a process writes. */
export function collect(stream: Readable): { text: string } {
  const written = { text: '' }
  stream.setEncoding('utf8').on('data', (chunk) => {
    written.text += chunk
  })
  return written
}

function addressIn(line: string): string {
  return (/https?:\S+/.exec(line)?.[0] ?? '').replace('0.0.0.0', '127.0.0.1')
}

/** A command without the installation in front of it, which has happened, and with `--port 0`. */
function onFreePort(command: string): string {
  const serve = command.replace(/^npm ci( --omit=dev)? && /, '').replace(/ --port \d+/, '')
  if (!serve.includes('npm run serve')) return `${serve} --port 0`
  const silent = serve.replace('npm run serve', 'npm run -s serve')
  return `env ${silent}${silent.includes(' -- ') ? '' : ' --'} --port 0`
}

/** Runs a shell script to its end, and returns what it wrote to stdout. Throws if it fails. */
export function runShell(
  script: string,
  environment: NodeJS.ProcessEnv,
  cwd = ROOT,
): Promise<string> {
  const shell = spawn('sh', ['-c', `set -e\n${script}`], {
    cwd,
    env: withQuickScripts(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, log] = [collect(shell.stdout), collect(shell.stderr)]
  return new Promise((resolve, reject) => {
    shell.once('close', (code) => {
      if (code === 0) resolve(output.text)
      else reject(new Error(`the script ended with ${code}:\n${output.text}${log.text}`))
    })
  })
}

const MARK = '>>> next block'

/** Runs blocks in one shell, and returns what each wrote. */
export async function runBlocks(
  blocks: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<string[]> {
  const script = blocks.map((block) => `echo '${MARK}'\n${block}\necho`).join('\n')
  const output = await runShell(script, environment, cwd)
  return output
    .split(`${MARK}\n`)
    .slice(1)
    .map((text) => text.trim())
}
