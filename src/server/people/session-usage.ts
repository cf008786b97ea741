import type { PeopleStore } from './store.ts'

/** Milliseconds between two writes of when sessions were used. */
const INTERVAL = 10_000

/** Remembers when sessions were last used, and writes it now and then: not worth a write a request. */
export class SessionUsage {
  readonly #store: PeopleStore
  readonly #onFailure: (error: unknown) => void
  readonly #used = new Map<string, number>()
  #unwritten = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  /** `onFailure` hears of a write that failed; its times are written with the next. */
  constructor(store: PeopleStore, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
  }

  /** The session was used at that time, in Unix milliseconds. */
  note(sessionId: string, at: number): void {
    this.#used.set(sessionId, at)
    this.#unwritten.add(sessionId)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, INTERVAL).unref()
  }

  /** When this process last noted a use of the session; 0 if it did not. */
  lastUsed(sessionId: string): number {
    return this.#used.get(sessionId) ?? 0
  }

  /** Forgets sessions that have ended. */
  forget(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
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
      await this.#store.recordSessionUse(
        [...unwritten].flatMap((sessionId) => {
          const at = this.#used.get(sessionId)
          return at === undefined ? [] : [{ sessionId, at: new Date(at).toISOString() }]
        }),
      )
    } catch (error) {
      for (const id of unwritten) if (this.#used.has(id)) this.#unwritten.add(id)
      this.#onFailure(error)
    }
  }
}
