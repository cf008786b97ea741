import { StorageError } from './errors.ts'

/** How many pieces of work may wait for their turn. */
const MAX_WAITING = 1_000

interface Waiter {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
}

/**
 * Lets one piece of asynchronous work run at a time, in the order of asking. Work whose turn does
 * not come in time never runs.
 */
export class Turns {
  readonly #waiting = new Set<Waiter>()
  #busy = false

  /**
   * Runs `work` in its turn. Throws `StorageError` `busy` when the turn does not come within that
   * many milliseconds, and at once where 1,000 wait already.
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

  /** The next in line gets the turn while it is still taken, so that nobody comes in between. */
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
