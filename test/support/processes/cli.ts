import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterFile } from '../after-file.ts'
import { eventualValue } from '../eventually.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CLI = join(ROOT, 'src/server/cli.ts')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliProcess {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
}

/** Starts the command line as users do. What still runs after the tests of the file is killed. */
export function startCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  account: { readonly uid?: number } = {},
): CliProcess {
  const { TIDEGATE_DEBUG: _, TIDEGATE_LOG_LEVEL: __, ...inherited } = process.env
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: ROOT,
    env: { ...inherited, XDG_CACHE_HOME: join(ROOT, 'node_modules/.cache'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output.stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
  afterFile(() => {
    child.kill('SIGKILL')
    return ended
  })
  return { child, output, ended }
}

/** Runs a command on a data folder to its end. */
export function cli(folder: string, ...args: string[]): Promise<Ended> {
  return startCli([...args, '--data', folder]).ended
}

/** Runs a command that must succeed and returns its stdout. */
export async function done(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(folder, ...args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** The JSON that a command shows. */
// biome-ignore lint/suspicious/noExplicitAny: a document is whatever the command wrote
export async function shown(folder: string, ...args: string[]): Promise<any> {
  return JSON.parse(await done(folder, ...args, '--json'))
}

export interface ServeProcess extends CliProcess {
  readonly address: string
  /** Sends a signal, once, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Starts `serve` on any free port, and waits until it listens. */
export async function serveCli(folder: string, ...args: string[]): Promise<ServeProcess> {
  const started = startCli(['serve', '--data', folder, '--port', '0', ...args])
  const address = await eventualValue(() => {
    if (started.child.exitCode !== null) throw new Error(started.output.stderr)
    return /listening on (\S+)\n/.exec(started.output.stdout)?.[1]
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    started.child.kill(signal)
    return started.ended
  }
  return { ...started, address, stop }
}

/** Returns the error on stderr, which must be exactly one line. */
export function refusal({ stderr }: Pick<Ended, 'stderr'>): string {
  const lines = stderr.split('\n')
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line on stderr: ${stderr}`)
  return lines[0] ?? ''
}
