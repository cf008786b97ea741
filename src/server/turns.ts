import { StorageError } from '../sqlite/errors.ts'

/** Maximum number of tasks that wait for their turn. */
const MAX_WAITING = 1_000

interface Waiter {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
}

/**
 * Runs one asynchronous task at a time, in the order of the calls. A task whose turn does not come in
 * time never runs.
 */
export class Turns {
  readonly #waiting = new Set<Waiter>()
  #busy = false

  /**
   * Runs `work` in its turn. Throws `StorageError` `busy` when the turn does not come within that
   * many milliseconds, and immediately when 1,000 already wait.
   */
  async run<T>(work: () => Promise<T>, within: number): Promise<T> {
    if (this.#busy) await this.#turn(within)
    this.#busy = true
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(within: number): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(tooBusy())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter)
        reject(tooBusy())
      }, within)
      const waiter: Waiter = { start: resolve, timer }
      this.#waiting.add(waiter)
    })
  }

  /** The turn passes directly to the next task, so that no other can come in between. */
  #next(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#busy = false
      return
    }
    this.#waiting.delete(next)
    clearTimeout(next.timer)
    next.start()
  }
}

function tooBusy(): StorageError {
  return new StorageError('busy', 'Other changes are still being written. Try again in a moment.')
}
