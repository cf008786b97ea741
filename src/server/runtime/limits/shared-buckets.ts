import {
  type RateLimit,
  type Sharers,
  TokenBuckets,
  type Verdict,
  verdictOf,
} from './token-buckets.ts'

/** What was used of a bucket. */
export interface Charge {
  readonly name: string
  /** In milliseconds that it takes to refill. */
  readonly used: number
}

/** The buckets of all processes together. */
export interface LimitStore {
  /**
   * Takes from buckets that refill within `period` milliseconds, more than they hold if need be, at most twice that.
   * Returns the milliseconds until each is full again. Rejects if the store does not answer.
   */
  charge(charges: readonly Charge[], period: number): Promise<ReadonlyMap<string, number>>
}

/** A limit for each key, which may have to ask. */
export interface SharedRateLimit {
  readonly enabled: boolean
  /** Takes a token from that key's bucket. A refusal takes none. */
  take(key: string): Verdict | Promise<Verdict>
}

export interface SharedBucketsOptions {
  /** Tokens of a full bucket, above 0. */
  readonly capacity: number
  /** Milliseconds in which an empty bucket fills up. */
  readonly period: number
  readonly sharers: Sharers
  readonly store: LimitStore
  /** Monotonic clock, in milliseconds. */
  readonly clock?: (() => number) | undefined
}

interface Bucket {
  /** When it is full again, as far as this process knows. */
  fullAt: number
  /** Requests that the store does not know of: allowed since, and being charged. */
  fresh: number
  charging: number
}

/** Milliseconds between two charges. */
const PAUSE = 100
/** Milliseconds for an answer of the store; without one, the limit is divided. */
const ANSWER_TIME = 1_000
/** Part of the capacity that a process may allow before the store knows. */
const BLOCK = 0.1

/**
 * Token buckets that several processes share through a store. A request is allowed by what the store answered last, and
 * charged within a moment; it waits for an answer only after a tenth of the limit in that moment. So all processes
 * together allow at most a tenth of the limit each beyond it. While the store does not answer, each allows its part.
 */
export class SharedBuckets implements SharedRateLimit {
  readonly enabled = true
  readonly #options: SharedBucketsOptions
  readonly #interval: number
  readonly #block: number
  readonly #clock: () => number
  /** Always counts, so that a failure of the store does not begin with full buckets. */
  readonly #divided: RateLimit
  readonly #buckets = new Map<string, Bucket>()
  #isFailing = false
  #isCharging = false
  #timer: NodeJS.Timeout | undefined
  #answered = Promise.withResolvers<void>()

  constructor(options: SharedBucketsOptions) {
    const { capacity, period, sharers, clock = () => performance.now() } = options
    this.#options = options
    this.#interval = period / capacity
    this.#block = Math.max(1, Math.ceil(capacity * BLOCK))
    this.#clock = clock
    this.#divided = new TokenBuckets({ capacity, period, sharers, clock })
  }

  /** Number of keys that are kept: those that were used within a period. */
  get size(): number {
    return this.#buckets.size
  }

  /** Answers at once unless this process has used a tenth of the limit since the store answered. */
  take(key: string): Verdict | Promise<Verdict> {
    const now = this.#clock()
    const bucket = this.#bucket(key, now)
    if (this.#isFailing) return this.#takePart(key, bucket)
    const missing = Math.max(0, bucket.fullAt - now)
    const { period } = this.#options
    if (missing + this.#interval > period + this.#interval * 0.001) {
      return verdictOf(false, missing, period, this.#interval)
    }
    if (bucket.fresh + bucket.charging >= this.#block) {
      this.#charge()
      return this.#answered.promise.then(() => this.take(key))
    }
    bucket.fullAt = now + missing + this.#interval
    this.#divided.take(key)
    this.#use(bucket)
    return verdictOf(true, bucket.fullAt - now, period, this.#interval)
  }

  #takePart(key: string, bucket: Bucket): Verdict {
    const verdict = this.#divided.take(key)
    if (verdict.allowed && bucket.fresh < this.#block) bucket.fresh++
    if (this.#timer === undefined) this.#charge()
    return verdict
  }

  #bucket(key: string, now: number): Bucket {
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    const bucket = { fullAt: now, fresh: 0, charging: 0 }
    this.#buckets.set(key, bucket)
    return bucket
  }

  #use(bucket: Bucket): void {
    bucket.fresh++
    if (this.#timer === undefined) this.#charge()
  }

  /** Charges now, or as soon as the store has answered. */
  #charge(): void {
    if (this.#isCharging) return
    clearTimeout(this.#timer)
    this.#isCharging = true
    void this.#chargeAll().then(() => {
      this.#isCharging = false
      const answered = this.#answered
      this.#answered = Promise.withResolvers()
      answered.resolve()
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        if (this.#isDue()) this.#charge()
      }, PAUSE).unref()
    })
  }

  #isDue(): boolean {
    for (const { fresh } of this.#buckets.values()) if (fresh > 0) return true
    return false
  }

  async #chargeAll(): Promise<void> {
    const { period, store } = this.#options
    const charges: Charge[] = []
    for (const [name, bucket] of this.#buckets) {
      if (bucket.fresh === 0) continue
      charges.push({ name, used: bucket.fresh * this.#interval })
      bucket.charging = bucket.fresh
      bucket.fresh = 0
    }
    const charged = store.charge(charges, period)
    const late = setTimeout(() => this.#fail(), ANSWER_TIME).unref()
    try {
      this.#learn(await charged)
      this.#isFailing = false
    } catch {
      this.#fail()
      this.#takeBack()
    } finally {
      clearTimeout(late)
    }
  }

  /** Whoever waits for the store is answered without it. */
  #fail(): void {
    this.#isFailing = true
    const answered = this.#answered
    this.#answered = Promise.withResolvers()
    answered.resolve()
  }

  #learn(missing: ReadonlyMap<string, number>): void {
    const now = this.#clock()
    for (const [name, bucket] of this.#buckets) {
      bucket.charging = 0
      const known = missing.get(name)
      if (known !== undefined) bucket.fullAt = now + known + bucket.fresh * this.#interval
      else if (bucket.fresh === 0 && bucket.fullAt <= now) this.#buckets.delete(name)
    }
  }

  /** What could not be charged is charged later, as far as it may be used unknown to others. */
  #takeBack(): void {
    for (const bucket of this.#buckets.values()) {
      bucket.fresh = Math.min(this.#block, bucket.fresh + bucket.charging)
      bucket.charging = 0
    }
  }
}
