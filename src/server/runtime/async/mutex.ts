interface Waiter {
  readonly start: () => void
  /** Ends what watches for the turn not to come. */
  readonly end: () => void
}

interface TurnsOptions {
  /** Maximum number of tasks that wait for their turn. */
  readonly waiting?: number
  /** The error of a task whose turn does not come: too many wait, or it waited for too long. */
  readonly busy?: () => Error
}

/** Runs one asynchronous task at a time, in the order of the calls. */
export class Mutex {
  readonly #waiting = new Set<Waiter>()
  readonly #limit: number
  readonly #busy: () => Error
  #taken = false

  constructor({ waiting = Infinity, busy = () => new Error('busy') }: TurnsOptions = {}) {
    this.#limit = waiting
    this.#busy = busy
  }

  /** Runs `work` in its turn. Throws the error for a busy queue if too many wait, or after that many milliseconds. */
  async run<T>(work: () => Promise<T>, within?: number): Promise<T> {
    const end = await this.take(within)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Waits for the turn as `run` does. Throws the reason of `signal`. Returns what ends the turn, which must be called once. */
  async take(within?: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#taken) await this.#turn(within, signal)
    this.#taken = true
    return () => this.#next()
  }

  #turn(within: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#limit) return Promise.reject(this.#busy())
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown) => {
        this.#waiting.delete(waiter)
        waiter.end()
        reject(reason)
      }
      const onAbort = () => giveUp(signal?.reason)
      const late = () => giveUp(this.#busy())
      const timer = within === undefined ? undefined : setTimeout(late, within)
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = { start: resolve, end }
      this.#waiting.add(waiter)
      signal?.addEventListener('abort', onAbort)
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
    next.end()
    next.start()
  }
}
