interface Waiter {
  readonly start: () => void
  readonly timer: NodeJS.Timeout | undefined
}

interface TurnsOptions {
  /** Maximum number of tasks that wait for their turn. */
  readonly waiting?: number
  /** The error of a task whose turn does not come: too many wait, or it waited for too long. */
  readonly busy?: () => Error
}

/** Runs one asynchronous task at a time, in the order of the calls. */
export class Turns {
  readonly #waiting = new Set<Waiter>()
  readonly #limit: number
  readonly #busy: () => Error
  #taken = false

  constructor({ waiting = Infinity, busy = () => new Error('busy') }: TurnsOptions = {}) {
    this.#limit = waiting
    this.#busy = busy
  }

  /**
   * Runs `work` in its turn. Throws the error for a busy queue, without running it, when the turn does not
   * come within that many milliseconds, and immediately when too many already wait.
   */
  async run<T>(work: () => Promise<T>, within?: number): Promise<T> {
    const end = await this.take(within)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Waits for the turn, as `run` does. Returns what ends it, which must be called once. */
  async take(within?: number): Promise<() => void> {
    if (this.#taken) await this.#turn(within)
    this.#taken = true
    return () => this.#next()
  }

  #turn(within: number | undefined): Promise<void> {
    if (this.#waiting.size >= this.#limit) return Promise.reject(this.#busy())
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiter)
        reject(this.#busy())
      }
      const timer = within === undefined ? undefined : setTimeout(giveUp, within)
      const waiter: Waiter = { start: resolve, timer }
      this.#waiting.add(waiter)
    })
  }

  /** The turn passes directly to the next task, so that no other can come in between. */
  #next(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken = false
      return
    }
    this.#waiting.delete(next)
    clearTimeout(next.timer)
    next.start()
  }
}
