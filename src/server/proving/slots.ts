interface App {
  running: number
  /** Milliseconds that its tasks have held slots since it last had none. */
  held: number
  /** Those that wait, in the order of their calls. */
  readonly waiting: Set<() => void>
}

/**
 * Lets a bounded number of tasks run at the same time, and of one app so many that others always have a slot. A slot that
 * becomes free goes to the app with the fewest running tasks, then to the one that has held slots for the shortest time.
 */
export class Slots {
  readonly #perApp: number
  readonly #apps = new Map<number, App>()
  #free: number

  constructor({ total, perApp }: { readonly total: number; readonly perApp: number }) {
    this.#free = total
    this.#perApp = perApp
  }

  /** Runs `work` of an app when a slot is free for it. Throws the reason of `signal` when that is aborted before. */
  async run<T>(key: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const app = this.#apps.get(key) ?? { running: 0, held: 0, waiting: new Set() }
    this.#apps.set(key, app)
    await this.#slot(app, signal).finally(() => this.#forget(key))
    const since = performance.now()
    try {
      return await work()
    } finally {
      app.held += performance.now() - since
      app.running -= 1
      this.#free += 1
      this.#startNext()
      this.#forget(key)
    }
  }

  #slot(app: App, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        app.waiting.delete(start)
        reject(signal.reason)
      }
      app.waiting.add(start)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#startNext()
    })
  }

  #startNext(): void {
    if (this.#free === 0) return
    const [next] = [...this.#apps.values()]
      .filter(({ waiting, running }) => waiting.size > 0 && running < this.#perApp)
      .toSorted((a, b) => a.running - b.running || a.held - b.held)
    const [start] = next?.waiting ?? []
    if (next === undefined || start === undefined) return
    next.waiting.delete(start)
    next.running += 1
    this.#free -= 1
    start()
  }

  #forget(key: number): void {
    const app = this.#apps.get(key)
    if (app?.running === 0 && app.waiting.size === 0) this.#apps.delete(key)
  }
}
