import type { Inspection, RestoreOutcome } from '../../shared/console/backups.ts'
import type { HostConfig, HostMessage } from '../../shared/console/server-process.ts'
import type { ServerState } from '../../shared/console/shell.ts'
import { restartDelay } from './back-off.ts'
import { DataFolderTasks } from './data-folder-tasks.ts'
import { ServerProcess } from './server-process.ts'
import type { UtilityProcess } from './utility-process.ts'

/** Milliseconds that a server has to become ready. */
const READY_TIME = 180_000
/** Milliseconds that it has when it upgrades its database: killed, it would begin again. */
const UPGRADE_TIME = 3_600_000
/** Milliseconds that the server has to stop: 5 s for open requests, 15 s to store what waits. */
const STOP_TIME = 25_000
/** Milliseconds after which a server that runs has left its crashes behind. */
const STEADY_TIME = 60_000

/** `Port`: a port as Electron has it, where the processes are Electron's. */
export interface SupervisorOptions<Port> {
  fork(): UtilityProcess<Port>
  /** Asked at every start. */
  config(): HostConfig
  onState(state: ServerState): void
  /** Something that the person at the machine should know. */
  onTrouble(message: string): void
}

/**
 * Keeps one server process alive: starts it, waits until it is ready, starts it again after a
 * crash, ever later. What it cannot mend is the state `failed`, which waits for a person.
 */
export class Supervisor<Port> {
  readonly #options: SupervisorOptions<Port>
  #state: ServerState = { state: 'stopped' }
  #life: ServerProcess<Port> | undefined
  #crashes = 0
  #nextTry: NodeJS.Timeout | undefined
  #settled = Promise.withResolvers<void>()
  #changing: Promise<unknown> = Promise.resolve()
  readonly #tasks: DataFolderTasks

  constructor(options: SupervisorOptions<Port>) {
    this.#options = options
    this.#tasks = new DataFolderTasks(options)
  }

  get state(): ServerState {
    return this.#state
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
      this.#crashes = 0
      await this.#start()
    })
  }

  /** What restoring that file would do. The server goes on meanwhile, where it runs. */
  inspect(file: string): Promise<Inspection> {
    return this.#tasks.inspect(file)
  }

  /** Stops the server, restores that file, and starts the server again whatever came of it. */
  restore(file: string): Promise<RestoreOutcome> {
    return this.#inTurn(async () => {
      await this.#stop()
      try {
        return await this.#tasks.restore(file)
      } finally {
        this.#crashes = 0
        await this.#start()
      }
    })
  }

  /**
   * Opens a channel to the server and returns the near end, or undefined if the server does not run. While
   * the server starts, waits for it. Never rejects.
   */
  async connect(): Promise<Port | undefined> {
    if (this.#state.state === 'starting') await this.#settled.promise
    return this.#state.state === 'running' ? this.#life?.process.connect() : undefined
  }

  async #start(): Promise<void> {
    clearTimeout(this.#nextTry)
    // One that has said why it cannot start may not have ended yet.
    if (this.#life?.isEnding === true) await this.#life.exited
    if (this.#life !== undefined) return
    this.#settled = Promise.withResolvers()
    this.#setState({ state: 'starting' })
    const process = this.#options.fork()
    const life = new ServerProcess(process)
    this.#life = life
    process.onMessage((message) => this.#receive(life, message))
    process.onExit((code) => this.#ended(life, code))
    life.killAfter(READY_TIME)
    process.post({ type: 'start', config: this.#options.config() })
  }

  #receive(life: ServerProcess<Port>, message: HostMessage): void {
    switch (message.type) {
      case 'migrating':
        this.#upgrading(life)
        return
      case 'ready':
        this.#ready(life, message.address)
        return
      case 'failed':
        life.expectEnd(STOP_TIME)
        life.process.post({ type: 'received' })
        this.#setState({ state: 'failed', reason: message.reason, message: message.message })
        return
      case 'trouble':
        this.#options.onTrouble(message.message)
        return
      case 'stopped':
        life.process.post({ type: 'received' })
        return
      case 'inspected':
      case 'restored':
        return
      default:
        message satisfies never
    }
  }

  #upgrading(life: ServerProcess<Port>): void {
    if (life.isEnding) return
    life.killAfter(UPGRADE_TIME)
    this.#setState({ state: 'starting', upgrading: true })
  }

  #ready(life: ServerProcess<Port>, address: string): void {
    if (life.isEnding) return
    life.after(STEADY_TIME, () => {
      this.#crashes = 0
    })
    this.#setState({ state: 'running', address })
  }

  #ended(life: ServerProcess<Port>, code: number): void {
    this.#life = undefined
    if (life.isEnding) return
    const reason =
      this.#state.state === 'running'
        ? `The server ended unexpectedly (exit code ${code}).`
        : `The server ended before it was ready (exit code ${code}).`
    const delay = restartDelay(++this.#crashes)
    this.#setState({ state: 'restarting', reason, nextTryAt: Date.now() + delay })
    this.#nextTry = setTimeout(() => void this.start(), delay)
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#nextTry)
    const life = this.#life
    if (life !== undefined) {
      life.expectEnd(STOP_TIME)
      life.process.post({ type: 'stop' })
      await life.exited
    }
    this.#setState({ state: 'stopped' })
  }

  /** One after the other: two restarts at once would make two processes. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#changing.catch(() => {}).then(work)
    this.#changing = turn
    return turn
  }

  #setState(state: ServerState): void {
    this.#state = state
    if (state.state !== 'starting') this.#settled.resolve()
    this.#options.onState(state)
  }
}
