/** How many processes share a limit without knowing of each other's requests. */
export interface Sharers {
  /** At least 1. */
  readonly count: number
}

/** A limit for each key. */
export interface RateLimit {
  /** Whether there is a limit. */
  readonly enabled: boolean
  /** Takes a token from that key's bucket. A refusal takes none. */
  take(key: string): Verdict
}

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
  readonly maxKeys?: number | undefined
  /**
   * Those that divide the tokens: with 3, a request takes 3 of them, so that a third as many requests are allowed here. At
   * least one request per period is. By default, there is only this process.
   */
  readonly sharers?: Sharers | undefined
  /** Monotonic clock, in milliseconds. */
  readonly clock?: (() => number) | undefined
}

/** Nobody else counts. */
const ALONE: Sharers = { count: 1 }

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
export class TokenBuckets implements RateLimit {
  readonly #capacity: number
  readonly #period: number
  /** Milliseconds in which one token refills. */
  readonly #interval: number
  readonly #maxGeneration: number
  readonly #sharers: Sharers
  readonly #clock: () => number
  #younger = new Map<string, Bucket>()
  #older = new Map<string, Bucket>()
  #youngerUntil = Number.NEGATIVE_INFINITY

  constructor({
    capacity,
    period,
    maxKeys = MAX_KEYS,
    sharers = ALONE,
    clock = () => performance.now(),
  }: TokenBucketsOptions) {
    this.#capacity = capacity
    this.#period = period
    this.#interval = period / capacity
    this.#maxGeneration = Math.max(1, Math.floor(maxKeys / 2))
    this.#sharers = sharers
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

  take(key: string): Verdict {
    if (this.#capacity === 0) return NO_LIMIT
    const now = this.#clock()
    const bucket = this.#bucket(key, now)
    const missing = Math.max(0, bucket.fullAt - now)
    const interval = this.#cost()
    const wait = missing + interval - this.#period
    const allowed = wait <= interval * TOLERANCE
    if (allowed) bucket.fullAt = now + missing + interval
    return verdictOf(allowed, bucket.fullAt - now, this.#period, interval)
  }

  /** Takes that many tokens from that key's bucket, or none if there are fewer. Returns whether it did. */
  takeAll(key: string, tokens: number): boolean {
    if (this.#capacity === 0) return true
    const now = this.#clock()
    const bucket = this.#bucket(key, now)
    const fullAt = Math.max(now, bucket.fullAt) + tokens * this.#cost()
    const allowed = fullAt - now - this.#period <= this.#cost() * TOLERANCE
    if (allowed) bucket.fullAt = fullAt
    return allowed
  }

  /** Gives a token back to that key's bucket, such as after an attempt that turned out to be no abuse. */
  giveBack(key: string): void {
    if (this.#capacity === 0) return
    const bucket = this.#bucket(key, this.#clock())
    bucket.fullAt -= this.#cost()
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

  /** Returns the milliseconds in which what a request takes refills. */
  #cost(): number {
    const { count } = this.#sharers
    return count === 1 ? this.#interval : Math.min(this.#interval * count, this.#period)
  }
}

/** Describes a bucket that is full in `missing` milliseconds, with `period` to fill up and `interval` for one request. */
export function verdictOf(
  allowed: boolean,
  missing: number,
  period: number,
  interval: number,
): Verdict {
  const tokens = (period - missing) / interval
  const remaining = Math.floor(Math.max(0, tokens) + TOLERANCE)
  const untilToken = remaining > 0 ? 0 : missing + interval - period
  return {
    allowed,
    limit: Math.floor(period / interval + TOLERANCE),
    remaining,
    retrySeconds: Math.ceil(untilToken / 1_000),
    fullSeconds: Math.ceil(missing / 1_000),
  }
}
