/** Milliseconds between two writes. */
const INTERVAL = 10_000

/** When something was last used, in ISO 8601. */
export interface LastUse<Id> {
  readonly id: Id
  readonly at: string
}

/** Remembers when keys or sessions were last used, and writes it now and then: not worth a write a request. */
export class LastUses<Id> {
  readonly #write: (uses: readonly LastUse<Id>[]) => Promise<void>
  readonly #onFailure: (error: unknown) => void
  readonly #used = new Map<Id, number>()
  #unwritten = new Set<Id>()
  #timer: NodeJS.Timeout | undefined

  /** `onFailure` hears of a write that failed; its times are written with the next. */
  constructor(
    write: (uses: readonly LastUse<Id>[]) => Promise<void>,
    onFailure: (error: unknown) => void,
  ) {
    this.#write = write
    this.#onFailure = onFailure
  }

  /** It was used at that time, in Unix milliseconds. */
  note(id: Id, at: number): void {
    this.#used.set(id, at)
    this.#unwritten.add(id)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, INTERVAL).unref()
  }

  /** When this process last noted a use; 0 if it did not. */
  lastUsed(id: Id): number {
    return this.#used.get(id) ?? 0
  }

  /** Forgets what has ended. */
  forget(ids: readonly Id[]): void {
    for (const id of ids) {
      this.#used.delete(id)
      this.#unwritten.delete(id)
    }
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.flush()
  }

  /** Writes what was noted since the last write. */
  async flush(): Promise<void> {
    const unwritten = this.#unwritten
    if (unwritten.size === 0) return
    this.#unwritten = new Set()
    try {
      await this.#write(
        [...unwritten].flatMap((id) => {
          const at = this.#used.get(id)
          return at === undefined ? [] : [{ id, at: new Date(at).toISOString() }]
        }),
      )
    } catch (error) {
      for (const id of unwritten) if (this.#used.has(id)) this.#unwritten.add(id)
      this.#onFailure(error)
    }
  }
}
