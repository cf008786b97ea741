/** Lets that many tasks run at the same time; the others wait in the order of their calls. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Runs `work` when a slot is free. Throws the reason of `signal` when that is aborted before. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#slot(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #slot(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(start)
        reject(signal.reason)
      }
      this.#waiting.add(start)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** The slot passes directly to the next task, so that no other can come in between. */
  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
