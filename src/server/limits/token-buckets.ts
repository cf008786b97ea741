/** The state of a bucket after a request. */
export interface Verdict {
  readonly allowed: boolean
  /** Tokens of a full bucket; 0 if there is no limit. */
  readonly limit: number
  /** Whole tokens left. */
  readonly remaining: number
  /** Whole seconds until there is a token: at least 1 after a refusal, 0 while some are left. */
  readonly retrySeconds: number
  /** Whole seconds until the bucket is full again. */
  readonly fullSeconds: number
}

export interface TokenBucketsOptions {
  /** Tokens of a full bucket. 0: no limit, every request is allowed and nothing is kept. */
  readonly capacity: number
  /** Milliseconds in which an empty bucket fills up, continuously. */
  readonly period: number
  /** Maximum number of keys kept. */
  readonly maxKeys?: number
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number
}

interface Bucket {
  /** The time at which the bucket is full again; in the past if it is full. */
  fullAt: number
}

const MAX_KEYS = 100_000
/** Tolerance for rounding, in tokens. */
const TOLERANCE = 0.001

const NO_LIMIT: Verdict = {
  allowed: true,
  limit: 0,
  remaining: 0,
  retrySeconds: 0,
  fullSeconds: 0,
}

/**
 * Token buckets, one per key, each of which starts full. Synchronous, because update checks use it, and
 * on the monotonic clock by default, because setting the clock back must not lock anyone out.
 *
 * At most `maxKeys` are kept, in two generations: the older one is dropped when the younger has
 * half of them, or has lasted for a period. What was unused for a period is full and needs no
 * memory, and the half used last is never dropped. A dropped bucket is full when its key returns,
 * so many keys can only relax the limit of others: no two keys ever share a bucket.
 */
export class TokenBuckets {
  readonly #capacity: number
  readonly #period: number
  /** Milliseconds in which one token refills. */
  readonly #interval: number
  readonly #maxGeneration: number
  readonly #clock: () => number
  #younger = new Map<string, Bucket>()
  #older = new Map<string, Bucket>()
  #youngerUntil = Number.NEGATIVE_INFINITY

  constructor({
    capacity,
    period,
    maxKeys = MAX_KEYS,
    clock = () => performance.now(),
  }: TokenBucketsOptions) {
    this.#capacity = capacity
    this.#period = period
    this.#interval = period / capacity
    this.#maxGeneration = Math.max(1, Math.floor(maxKeys / 2))
    this.#clock = clock
  }

  /** Returns whether there is a limit. */
  get enabled(): boolean {
    return this.#capacity > 0
  }

  /** Number of keys that are kept. */
  get size(): number {
    return this.#younger.size + this.#older.size
  }

  /** Takes a token from that key's bucket. A refusal takes none. */
  take(key: string): Verdict {
    if (this.#capacity === 0) return NO_LIMIT
    const now = this.#clock()
    const bucket = this.#bucket(key, now)
    const missing = Math.max(0, bucket.fullAt - now)
    const wait = missing + this.#interval - this.#period
    const allowed = wait <= this.#interval * TOLERANCE
    if (allowed) bucket.fullAt = now + missing + this.#interval
    return this.#verdict(allowed, bucket.fullAt - now)
  }

  /** Gives a token back to that key's bucket, such as after an attempt that turned out to be no abuse. */
  giveBack(key: string): void {
    if (this.#capacity === 0) return
    const bucket = this.#bucket(key, this.#clock())
    bucket.fullAt -= this.#interval
  }

  #bucket(key: string, now: number): Bucket {
    if (now >= this.#youngerUntil) this.#age(now)
    const young = this.#younger.get(key)
    if (young !== undefined) return young
    const bucket = this.#older.get(key) ?? { fullAt: now }
    this.#older.delete(key)
    if (this.#younger.size >= this.#maxGeneration) this.#age(now)
    this.#younger.set(key, bucket)
    return bucket
  }

  #age(now: number): void {
    this.#older = now < this.#youngerUntil + this.#period ? this.#younger : new Map()
    this.#younger = new Map()
    this.#youngerUntil = now + this.#period
  }

  #verdict(allowed: boolean, missing: number): Verdict {
    const tokens = (this.#period - missing) / this.#interval
    const remaining = Math.floor(Math.max(0, tokens) + TOLERANCE)
    const untilToken = remaining > 0 ? 0 : missing + this.#interval - this.#period
    return {
      allowed,
      limit: this.#capacity,
      remaining,
      retrySeconds: Math.ceil(untilToken / 1_000),
      fullSeconds: Math.ceil(missing / 1_000),
    }
  }
}
