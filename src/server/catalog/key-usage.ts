import type { CatalogStore } from './store.ts'

/** Milliseconds between two writes of when keys were used. */
const INTERVAL = 10_000

/** Remembers when keys were last used, and writes it now and then: not worth a write a request. */
export class KeyUsage {
  readonly #store: CatalogStore
  readonly #onFailure: (error: unknown) => void
  readonly #clock: () => number
  #used = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined

  /**
   * `onFailure` hears of a write that failed; its times are written with the next.
   * `clock`: Unix time in milliseconds.
   */
  constructor(
    store: CatalogStore,
    onFailure: (error: unknown) => void,
    clock: () => number = Date.now,
  ) {
    this.#store = store
    this.#onFailure = onFailure
    this.#clock = clock
  }

  /** The key with that id was used now. */
  note(keyId: number): void {
    this.#used.set(keyId, this.#clock())
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#write()
    }, INTERVAL).unref()
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#write()
  }

  async #write(): Promise<void> {
    const used = this.#used
    if (used.size === 0) return
    this.#used = new Map()
    try {
      const uses = [...used].map(([keyId, at]) => ({ keyId, at: new Date(at).toISOString() }))
      await this.#store.recordKeyUse(uses)
    } catch (error) {
      for (const [keyId, at] of used) if (!this.#used.has(keyId)) this.#used.set(keyId, at)
      this.#onFailure(error)
    }
  }
}
