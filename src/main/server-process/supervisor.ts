import type { ServerProcessMessage } from '../../shared/console/desktop/server-process.ts'
import type { ServerState } from '../../shared/console/desktop/shell.ts'
import type { Inspection, RestoreOutcome } from '../../shared/console/settings/backups.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import { BackOff } from '../back-off.ts'
import { DataFolderTasks } from './data-folder-tasks.ts'
import { ServerProcess, type SupervisorOptions } from './server-process.ts'

/** Milliseconds that a server has to become ready. */
const READY_TIME = 180_000
/** Milliseconds that it has when it upgrades its database: killed, it would begin again. */
const UPGRADE_TIME = 3_600_000
/** Milliseconds that the server has to stop: 5 s for open requests, 15 s to store what waits. */
const STOP_TIME = 25_000

/**
 * Keeps one server process alive: starts it, waits until it is ready, starts it again after a
 * crash, ever later. What it cannot fix is the state `failed`, which waits for a person.
 */
export class Supervisor<Port> {
  readonly #options: SupervisorOptions<Port>
  readonly #status: ServerStatus
  #server: ServerProcess<Port> | undefined
  readonly #backOff = new BackOff()
  #nextTry: NodeJS.Timeout | undefined
  #changing: Promise<unknown> = Promise.resolve()
  readonly #tasks: DataFolderTasks

  constructor(options: SupervisorOptions<Port>) {
    this.#options = options
    this.#status = new ServerStatus((state) => options.onState(state))
    this.#tasks = new DataFolderTasks(options)
  }

  /** The state as last reported to `onState`; `stopped` before the first start. */
  get state(): ServerState {
    return this.#status.state
  }

  /** Starts the server now, unless it starts or runs already. */
  start(): Promise<void> {
    return this.#inTurn(() => this.#start())
  }

  /** Stops the server gracefully, within a bound; resolves once its process has ended. */
  stop(): Promise<void> {
    this.#tasks.killAll()
    return this.#inTurn(() => this.#stop())
  }

  /** Stops the server and starts it with the configuration as it is now. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop()
      this.#backOff.forget()
      await this.#start()
    })
  }

  /** Returns what restoring that file would do. A running server keeps running. */
  inspect(file: string): Promise<Inspection> {
    return this.#tasks.inspect(file)
  }

  /** Stops the server, restores that file, and starts the server again even if that failed. */
  restore(file: string): Promise<RestoreOutcome> {
    return this.#inTurn(async () => {
      await this.#stop()
      try {
        return await this.#tasks.restore(file)
      } finally {
        this.#backOff.forget()
        await this.#start()
      }
    })
  }

  /**
   * Opens a channel to the server and returns the near end, or undefined if the server does not run. While
   * the server starts, waits for it. Never rejects.
   */
  async connect(): Promise<Port | undefined> {
    await this.#status.settled()
    return this.state.state === 'running' ? this.#server?.process.connect() : undefined
  }

  async #start(): Promise<void> {
    clearTimeout(this.#nextTry)
    // A process that has reported why it cannot start may still be running.
    if (this.#server?.isEnding === true) await this.#server.exited
    if (this.#server !== undefined) return
    this.#status.set({ state: 'starting' })
    this.#options.trial?.starting()
    const process = this.#options.fork()
    const server = new ServerProcess(process)
    this.#server = server
    process.onMessage((message) => this.#receive(server, message))
    process.onExit((code) => this.#ended(server, code))
    server.killAfter(READY_TIME)
    process.post({ type: 'start', config: this.#options.config() })
  }

  #receive(server: ServerProcess<Port>, message: ServerProcessMessage): void {
    switch (message.type) {
      case 'migrating':
        this.#upgrading(server)
        return
      case 'ready':
        this.#ready(server, message.address)
        return
      case 'failed':
        this.#failed(server, message.failure)
        return
      case 'trouble':
        this.#options.onTrouble(message.trouble)
        return
      case 'stopped':
        server.process.post({ type: 'received' })
        return
      case 'inspected':
      case 'restored':
        return
      default:
        message satisfies never
    }
  }

  #failed(server: ServerProcess<Port>, failure: StartFailure): void {
    const wasStopped = server.isEnding
    server.expectEnd(STOP_TIME)
    server.process.post({ type: 'received' })
    if (!wasStopped && this.#options.trial?.failed(failure)) void this.start()
    else this.#status.set({ state: 'failed', failure })
  }

  #upgrading(server: ServerProcess<Port>): void {
    if (server.isEnding) return
    server.killAfter(UPGRADE_TIME)
    this.#status.set({ state: 'starting', upgrading: true })
  }

  #ready(server: ServerProcess<Port>, address: string): void {
    if (server.isEnding) return
    server.keep()
    this.#backOff.up()
    this.#options.trial?.ready()
    this.#status.set({ state: 'running', address })
  }

  #ended(server: ServerProcess<Port>, code: number): void {
    this.#server = undefined
    this.#backOff.down()
    if (server.isEnding) return
    const wasReady = this.state.state === 'running'
    if (!wasReady && this.#options.trial?.failed({ code: 'ended', exitCode: code })) {
      void this.start()
      return
    }
    this.#backOff.failed()
    const { delay } = this.#backOff
    this.#status.set({
      state: 'restarting',
      exitCode: code,
      wasReady,
      nextTryAt: Date.now() + delay,
    })
    this.#nextTry = setTimeout(() => void this.start(), delay)
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#nextTry)
    const server = this.#server
    if (server !== undefined) {
      server.expectEnd(STOP_TIME)
      server.process.post({ type: 'stop' })
      await server.exited
    }
    this.#status.set({ state: 'stopped' })
  }

  /** One after the other: two restarts at once would make two processes. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#changing.catch(() => {}).then(work)
    this.#changing = turn
    return turn
  }
}

/** The state of the server: reported when it changes, and awaited while the server starts. */
class ServerStatus {
  readonly #onState: (state: ServerState) => void
  #state: ServerState = { state: 'stopped' }
  #settled = Promise.withResolvers<void>()

  constructor(onState: (state: ServerState) => void) {
    this.#onState = onState
  }

  /** The state as last reported; `stopped` before the first start. */
  get state(): ServerState {
    return this.#state
  }

  set(state: ServerState): void {
    // Who waits for a start that failed waits for the next one.
    if (state.state === 'starting' && this.#state.state !== 'starting') {
      this.#settled = Promise.withResolvers()
    }
    this.#state = state
    if (state.state !== 'starting') this.#settled.resolve()
    this.#onState(state)
  }

  /** Resolves at once, or when a server that starts runs or has failed. */
  async settled(): Promise<void> {
    if (this.#state.state === 'starting') await this.#settled.promise
  }
}
