import { drawToken, hashToken, isToken } from './tokens.ts'

/** What waits for its second part. */
interface Waiting<Value> {
  readonly value: Value
  readonly until: number
}

/**
 * Keeps what waits for its second part under random tokens, in memory: whoever began it is asked again
 * after a restart. Bounded, the oldest goes first.
 */
export class Pending<Value> {
  readonly #entries = new Map<string, Waiting<Value>>()
  readonly #time: number
  readonly #maximum: number
  readonly #clock: () => number

  /** `time`: milliseconds that an entry lasts. `maximum`: entries that are kept. `clock`: Unix milliseconds. */
  constructor({ time, maximum, clock }: { time: number; maximum: number; clock: () => number }) {
    this.#time = time
    this.#maximum = maximum
    this.#clock = clock
  }

  get size(): number {
    return this.#entries.size
  }

  /** Keeps the value, and returns its token. */
  add(value: Value): string {
    const now = this.#clock()
    for (const [key, { until }] of this.#entries) {
      if (until > now && this.#entries.size < this.#maximum) break
      this.#entries.delete(key)
    }
    const token = drawToken()
    this.#entries.set(hashToken(token), { value, until: now + this.#time })
    return token
  }

  /** Returns the value; undefined once its time is over. */
  get(token: string): Value | undefined {
    if (!isToken(token)) return undefined
    const entry = this.#entries.get(hashToken(token))
    return entry !== undefined && entry.until > this.#clock() ? entry.value : undefined
  }

  /** Returns the value and drops it, so that it is used once. */
  take(token: string): Value | undefined {
    const value = this.get(token)
    if (isToken(token)) this.#entries.delete(hashToken(token))
    return value
  }
}
