interface Holder {
  running: number
  /** Milliseconds that its tasks have held slots since it last had none. */
  held: number
  /** Those that wait, in the order of their calls. */
  readonly waiting: Set<() => void>
}

/** Runs a bounded number of tasks at a time. A free slot goes to the holder with the fewest, then to the least recently served. */
export class Slots<Key extends string | number> {
  readonly #each: number
  readonly #holders = new Map<Key, Holder>()
  #free: number

  /** `total`, `each`: most tasks that run, of all and of one holder. */
  constructor({ total, each }: { readonly total: number; readonly each: number }) {
    this.#free = total
    this.#each = each
  }

  /** How many tasks of a holder wait for a slot. */
  waitingOf(key: Key): number {
    return this.#holders.get(key)?.waiting.size ?? 0
  }

  /** Runs `work` of a holder when a slot is free for it. Throws the reason of `signal` when that is aborted before. */
  async run<T>(key: Key, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.take(key, signal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Waits for a slot as `run` does. Returns what gives it back, which must be called once. */
  async take(key: Key, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const holder = this.#holders.get(key) ?? { running: 0, held: 0, waiting: new Set() }
    this.#holders.set(key, holder)
    await this.#slot(holder, signal).finally(() => this.#forget(key))
    const since = performance.now()
    return () => {
      holder.held += performance.now() - since
      holder.running -= 1
      this.#free += 1
      this.#startNext()
      this.#forget(key)
    }
  }

  #slot(holder: Holder, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        holder.waiting.delete(start)
        reject(signal.reason)
      }
      holder.waiting.add(start)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#startNext()
    })
  }

  #startNext(): void {
    if (this.#free === 0) return
    const [next] = [...this.#holders.values()]
      .filter(({ waiting, running }) => waiting.size > 0 && running < this.#each)
      .toSorted((a, b) => a.running - b.running || a.held - b.held)
    const [start] = next?.waiting ?? []
    if (next === undefined || start === undefined) return
    next.waiting.delete(start)
    next.running += 1
    this.#free -= 1
    start()
  }

  #forget(key: Key): void {
    const holder = this.#holders.get(key)
    if (holder?.running === 0 && holder.waiting.size === 0) this.#holders.delete(key)
  }
}
