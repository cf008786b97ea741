const WINDOW = 60_000
/** Most callers that are counted apart in a window; those beyond share one count. */
const MAX_CALLERS = 100_000
const THE_REST = ''

export interface Verdict {
  readonly allowed: boolean
  readonly limit: number
  /** Requests that are left in the window. */
  readonly remaining: number
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number
}

/**
 * Counts requests in windows of one minute, one count a caller. Synchronous, because update checks
 * ask it; on the monotonic clock, because a clock set back must lock nobody out.
 */
export class RateLimiter {
  readonly #limit: number
  readonly #counts = new Map<string, number>()
  #windowEnds = 0

  /** `limit`: requests a minute, 0 for no limit. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get enabled(): boolean {
    return this.#limit > 0
  }

  /** Counts a request of that caller. */
  take(caller: string): Verdict {
    const now = performance.now()
    if (now >= this.#windowEnds) {
      this.#counts.clear()
      this.#windowEnds = now + WINDOW
    }
    const known = this.#counts.has(caller) || this.#counts.size < MAX_CALLERS
    const name = known ? caller : THE_REST
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return {
      allowed: !this.enabled || count <= this.#limit,
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - count),
      resetSeconds: Math.max(1, Math.ceil((this.#windowEnds - now) / 1_000)),
    }
  }
}

/**
 * The `RateLimit` fields, as the IETF draft has them (`RateLimit`, `RateLimit-Policy`) and as most
 * clients still read them (`RateLimit-Limit`, `-Remaining`, `-Reset`); with `Retry-After` on a refusal.
 */
export function rateLimitHeaders(verdict: Verdict): Record<string, string> {
  const { allowed, limit, remaining, resetSeconds } = verdict
  return {
    'RateLimit-Policy': `"minute";q=${limit};w=60`,
    RateLimit: `"minute";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
    ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
  }
}

/** What a caller over the limit is told. */
export function rateLimitMessage({ limit, resetSeconds }: Verdict): string {
  return `rate limit exceeded: at most ${limit} requests a minute; try again in ${resetSeconds} s`
}
