import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { afterFile } from '../after-file.ts'
import { eventualValue } from '../eventually.ts'
import { databaseVariables } from '../servers/engine.ts'
import { scriptFile } from '../workers/script-file.ts'
import { ROOT } from './command-protocol.ts'
import { type Ended, environment, type StartedCommand, startCommand } from './commands.ts'
import { expectDescribed } from './json-schema.ts'

export { type Ended, startCommand } from './commands.ts'

const SOURCE = join(ROOT, 'src/server/cli.ts')

export interface CliProcess extends StartedCommand {
  readonly child: ChildProcess
}

/**
 * Starts the command line as users do, in a process of its own: `startCommand` is faster where that is not what the
 * test is about. What still runs after the tests of the file is killed. The variables of `databaseVariables` are the
 * caller's to give.
 */
export function startCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  account: { readonly uid?: number } = {},
): CliProcess {
  // A module that changes sources while they are loaded needs them.
  const program = env.NODE_OPTIONS === undefined ? scriptFile('cli') : SOURCE
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  const output = { stdout: '', stderr: '' }
  // A pipe may end in a reset when its writer exits; what was written before has been read.
  for (const stream of [child.stdout, child.stderr]) stream.on('error', () => {})
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

/** Runs a command on a data folder to its end. A server has a process of its own. */
export async function cli(folder: string, ...args: string[]): Promise<Ended> {
  const start = args[0] === 'serve' ? startCli : startCommand
  return await start([...args, '--data', folder], await databaseVariables(folder)).ended
}

/** Runs a command that must succeed and returns its stdout. */
export async function done(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(folder, ...args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** The JSON that a command shows, which docs/cli.schema.json describes. */
// biome-ignore lint/suspicious/noExplicitAny: a document is whatever the command wrote
export async function shown(folder: string, ...args: string[]): Promise<any> {
  const document = JSON.parse(await done(folder, ...args, '--json'))
  expectDescribed(args, document)
  return document
}

export interface ServeProcess extends CliProcess {
  readonly address: string
  /** Sends a signal, once, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Starts `serve` on any free port, and waits until it listens. */
export function serveCli(folder: string, ...args: string[]): Promise<ServeProcess> {
  return serveWith({}, folder, ...args)
}

/** The same, with further variables. */
export async function serveWith(
  env: NodeJS.ProcessEnv,
  folder: string,
  ...args: string[]
): Promise<ServeProcess> {
  const started = startCli(['serve', '--data', folder, '--port', '0', ...args], {
    ...(await databaseVariables(folder)),
    ...env,
  })
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

/** Expects that a command was refused with that exit code, and that its one line on stderr has a text or matches a pattern. */
export function expectRefused(ended: Ended, code: number, reason: string | RegExp): void {
  const line =
    typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason)
  expect([ended.code, refusal(ended)]).toEqual([code, line])
}
