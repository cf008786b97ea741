import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Workspace } from './workspace.ts'

/** How to start a process that prints its address to stdout. */
export interface ListenerCommand {
  /** Arguments to Node. */
  readonly args: readonly string[]
  /** The processors it may use, as a `taskset` list; without it: all. */
  readonly cpus?: string | undefined
}

const START_BOUND_MS = 180_000
const STOP_BOUND_MS = 120_000
const ADDRESS = /listening on http:\/\/127\.0\.0\.1:(\d+)/

/** A running server process. */
export class Listener {
  readonly port: number
  readonly pid: number
  /** Milliseconds from spawn to the line with the address. */
  readonly startMs: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, pid: number, port: number, startMs: number) {
    this.#child = child
    this.pid = pid
    this.port = port
    this.startMs = startMs
  }

  /**
   * Starts a process and waits for its address.
   * @throws Error with the end of its stderr when it exits first or takes over three minutes.
   */
  static async start(workspace: Workspace, command: ListenerCommand): Promise<Listener> {
    const log = workspace.path('stderr.log')
    const logFile = openSync(log, 'w')
    const node = [process.execPath, ...command.args]
    const [program = '', ...args] =
      command.cpus === undefined ? node : ['taskset', '-c', command.cpus, ...node]
    const began = performance.now()
    const child = workspace.track(spawn(program, args, { stdio: ['ignore', 'pipe', logFile] }))
    closeSync(logFile)
    const port = await portOf(child).catch((error: unknown) => {
      child.kill('SIGKILL')
      const tail = readFileSync(log, 'utf8').slice(-2000)
      throw new Error(`${args.join(' ')}: ${String(error)}\n${tail}`)
    })
    const startMs = performance.now() - began
    child.stdout?.resume()
    return new Listener(child, child.pid ?? 0, port, startMs)
  }

  /** Pauses the process, so that its background work does not disturb the measurement of another. */
  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  resume(): void {
    this.#child.kill('SIGCONT')
  }

  /**
   * Sends SIGTERM. Returns the milliseconds until the process exited.
   * @throws Error when it does not exit within two minutes, or exits with an error.
   */
  async stop(): Promise<number> {
    const began = performance.now()
    this.resume()
    const [code, signal] = await this.#exitAfter('SIGTERM')
    if (code !== 0 && signal !== 'SIGTERM') throw new Error(`stopped with ${code ?? signal}`)
    return performance.now() - began
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    await this.#exitAfter('SIGKILL')
  }

  async #exitAfter(signal: NodeJS.Signals): Promise<[number | null, NodeJS.Signals | null]> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) {
      return [child.exitCode, child.signalCode]
    }
    const exit = once(child, 'exit', { signal: AbortSignal.timeout(STOP_BOUND_MS) })
    child.kill(signal)
    const [code, by] = await exit
    return [code, by]
  }
}

function portOf(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const bound = setTimeout(() => reject(new Error('did not start in time')), START_BOUND_MS)
  child.once('error', reject)
  child.once('exit', (code, signal) => reject(new Error(`exited with ${code ?? signal}`)))
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = ADDRESS.exec(line)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
  }
  return promise.finally(() => clearTimeout(bound))
}
