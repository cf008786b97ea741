import type {
  ServerProcessConfig,
  ServerTrouble,
} from '../../shared/console/desktop/server-process.ts'
import type { ServerState } from '../../shared/console/desktop/shell.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import type { UtilityProcess } from './utility-process.ts'

/** One server process from its start to its end, and the one deadline that it has at a time. */
export class ServerProcess<Port> {
  readonly process: UtilityProcess<Port>
  /** Resolves once the process has ended, after the listeners of `onExit` were called. */
  readonly exited: Promise<void>
  #deadline: NodeJS.Timeout | undefined
  #isEnding = false

  constructor(process: UtilityProcess<Port>) {
    this.process = process
    this.exited = new Promise((resolve) => {
      process.onExit(() => {
        clearTimeout(this.#deadline)
        resolve()
      })
    })
  }

  /** Its exit is not a crash: it was asked to stop, or has reported why it cannot start. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  /** Expects its end within `time` milliseconds; then it is killed. */
  expectEnd(time: number): void {
    this.#isEnding = true
    this.killAfter(time)
  }

  /** Kills it after `time` milliseconds, unless it ends, is kept, or gets another deadline. */
  killAfter(time: number): void {
    this.keep()
    this.#deadline = setTimeout(() => this.process.kill(), time)
  }

  /** Clears its deadline. */
  keep(): void {
    clearTimeout(this.#deadline)
  }
}

/** Follows every start, and has another configuration if one does not work. */
export interface StartTrial {
  /** The server is about to be started with the configuration as it is now. */
  starting(): void
  ready(): void
  /** Returns whether the configuration was replaced, so that the server is started again. Must not throw. */
  failed(failure: StartFailure): boolean
}

/** `Port`: Electron's port in the app, another one in tests. */
export interface SupervisorOptions<Port> {
  fork(): UtilityProcess<Port>
  /** Asked at every start. */
  config(): ServerProcessConfig
  onState(state: ServerState): void
  /** Something that the person at the computer should know. */
  onTrouble(trouble: ServerTrouble): void
  readonly trial?: StartTrial
}
