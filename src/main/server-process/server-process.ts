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
