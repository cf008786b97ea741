/** Statements under way at a time. What is asked meanwhile waits, and goes with the next one. */
const MOST_UNDER_WAY = 2
/** Keys of one statement. */
const MOST_KEYS = 2_000

interface Asked<Value> {
  readonly key: string
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** Reads values by their keys, as many as are asked for at a time with one statement. */
export class GatheredReads<Value> {
  readonly #readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  #waiting: Asked<Value>[] = []
  #underWay = 0

  /** `readAll`: reads what it finds of different keys. */
  constructor(readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#readAll = readAll
  }

  /** Reads one value, as of this call or later; undefined if there is none. Rejects as `readAll` does. */
  read(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject })
      // What else is asked for in the same turn goes with it.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#next())
    })
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#underWay === MOST_UNDER_WAY) return
    const asked = this.#waiting.slice(0, MOST_KEYS)
    this.#waiting = this.#waiting.slice(MOST_KEYS)
    this.#underWay++
    void this.#answer(asked).finally(() => {
      this.#underWay--
      this.#next()
    })
    this.#next()
  }

  async #answer(asked: readonly Asked<Value>[]): Promise<void> {
    try {
      const values = await this.#readAll([...new Set(asked.map(({ key }) => key))])
      for (const { key, resolve } of asked) resolve(values.get(key))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}
