import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterFile } from '../after-file.ts'
import { variablesOfKnown } from '../servers/engine.ts'
import { scriptFile } from '../workers/script-file.ts'
import { type CommandRequest, END_MARK, ROOT } from './command-protocol.ts'

/** Processes that are kept for the next command. */
const MAX_IDLE = 2

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Output {
  stdout: string
  stderr: string
}

export interface StartedCommand {
  readonly output: Output
  readonly ended: Promise<Ended>
}

/** What Node and its modules read once, when a process starts. */
const OF_A_PROCESS = /^(HOME|PATH|NODE_.*)$/

/**
 * Runs a command in a process that has run others, which loads the program once for all of them. Commands that serve,
 * read their standard input, are sent a signal, or whose end or start is looked at need `startCli`. A command that
 * still runs after the tests of the file is killed. It finds the database of its data folder if that has one.
 */
export function startCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}): StartedCommand {
  for (const name of Object.keys(env)) {
    if (OF_A_PROCESS.test(name)) throw new Error(`${name} needs a process of its own`)
  }
  const host = idle.pop() ?? new CommandHost()
  const output: Output = { stdout: '', stderr: '' }
  const run = variablesOfKnown(args).then((database) =>
    host.run(args, environment({ ...database, ...env }), output),
  )
  let isRunning = true
  const ended = run.finally(() => {
    isRunning = false
    if (host.hasExited) return
    if (idle.length < MAX_IDLE) idle.push(host)
    else host.kill()
  })
  afterFile(async () => {
    if (isRunning) host.kill()
    await ended
  })
  return { output, ended }
}

/** The variables of a command: those of this process, and `env` over them. */
export function environment(env: NodeJS.ProcessEnv): Record<string, string> {
  const { TIDEGATE_DEBUG: _, TIDEGATE_LOG_LEVEL: __, ...inherited } = process.env
  const cache = { XDG_CACHE_HOME: join(ROOT, 'node_modules/.cache') }
  const all: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...inherited, ...cache, ...env })) {
    if (value !== undefined) all[name] = value
  }
  return all
}

const idle: CommandHost[] = []

/** One process, which runs one command at a time. */
class CommandHost {
  readonly #child: ChildProcess
  readonly #stdout: Readable
  readonly #stderr: Readable
  readonly #closed: Promise<number | null>
  hasExited = false

  constructor() {
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const
    this.#child = fork(scriptFile('command-host'), { cwd: ROOT, stdio: [...stdio] })
    const { stdout, stderr } = this.#child
    for (const stream of [stdout, stderr]) stream?.on('error', () => {})
    if (stdout === null || stderr === null) throw new Error('a process without pipes')
    this.#stdout = stdout.setEncoding('utf8')
    this.#stderr = stderr.setEncoding('utf8')
    this.#closed = once(this.#child, 'close').then(([code]) => {
      this.hasExited = true
      return code
    })
  }

  /** Runs a command to its end; `output` is what it has written so far. */
  async run(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    output: Output,
  ): Promise<Ended> {
    const marked = Promise.all([
      untilMark(this.#stdout, (part) => (output.stdout += part)),
      untilMark(this.#stderr, (part) => (output.stderr += part)),
    ])
    this.#child.send({ args, env } satisfies CommandRequest)
    const end = await Promise.race([marked, this.#closed])
    for (const stream of [this.#stdout, this.#stderr]) stream.removeAllListeners('data')
    // A process that ended with its command has left no mark.
    const code = Array.isArray(end) ? end[0] : end
    output.stdout = output.stdout.replace(END_MARK, '')
    output.stderr = output.stderr.replace(END_MARK, '')
    return { code, ...output }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

/** Resolves with the exit code once the output so far, which `add` returns, has the mark at its end. */
function untilMark(stream: Readable, add: (part: string) => string): Promise<number> {
  return new Promise((resolve) => {
    stream.on('data', (part: string) => {
      const [, code] = END_MARK.exec(add(part)) ?? []
      if (code !== undefined) resolve(Number(code))
    })
  })
}
