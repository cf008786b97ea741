import { drawToken, hashToken, isToken } from './tokens.ts'

/** What waits for its second part. */
interface Waiting<Value> {
  readonly value: Value
  readonly until: number
}

/**
 * Keeps what waits for its second part under random tokens, in memory: whoever began it is asked again
 * after a restart. Bounded for each account, whose oldest goes first: nobody can displace what waits for another.
 */
export class Pending<Value extends { readonly accountId: string }> {
  readonly #entries = new Map<string, Waiting<Value>>()
  readonly #time: number
  readonly #maximum: number
  readonly #clock: () => number

  /** `time`: milliseconds that an entry lasts. `maximum`: entries of an account. `clock`: Unix milliseconds. */
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
      if (until > now) break
      this.#entries.delete(key)
    }
    const own = [...this.#entries].filter(
      ([
        ,
        {
          value: { accountId },
        },
      ]) => accountId === value.accountId,
    )
    for (const [key] of own.slice(0, Math.max(0, own.length - this.#maximum + 1)))
      this.#entries.delete(key)
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

  /** Drops the value, so that it is not used again. */
  drop(token: string): void {
    if (isToken(token)) this.#entries.delete(hashToken(token))
  }
}
