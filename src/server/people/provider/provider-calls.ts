import { Refusal } from '../../catalog/errors.ts'

/** Milliseconds that the provider is left alone after a failure; twice as many after each further one in a row. */
const FIRST_PAUSE = 2_000
const LONGEST_PAUSE = 60_000
/** Calls at a time while the provider answers. While it fails, one finds out whether it does again. */
const AT_ONCE = 20
/** Seconds after which a caller that finds all of them taken tries again. */
const BUSY_SECONDS = 2
const TOO_MANY_REQUESTS = 429

/**
 * The calls to the identity provider: a bounded number at a time, and none for a while after one has failed. A failure is no
 * answer, a server error or 429: what a stranger can cause, such as the refusal of a forged code, is none.
 */
export class ProviderCalls {
  readonly #clock: () => number
  #failures = 0
  #pausedUntil = 0
  #running = 0

  /** `clock`: Unix milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Throws `provider_unavailable` while no call may be made. */
  requireAvailable(): void {
    const retrySeconds = this.retrySeconds
    if (retrySeconds > 0) throw new Refusal({ code: 'provider_unavailable', retrySeconds })
  }

  /** Whole seconds after which another call may be made; 0 if one may be made now. */
  get retrySeconds(): number {
    const left = this.#pausedUntil - this.#clock()
    // Longer if the clock was set back.
    if (left > 0 && left <= LONGEST_PAUSE) return Math.ceil(left / 1_000)
    return this.#running < (this.#failures === 0 ? AT_ONCE : 1) ? 0 : BUSY_SECONDS
  }

  /** As the global `fetch`, with the body read to its end. Rejects with `provider_unavailable` while no call may be made. */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    this.requireAvailable()
    this.#running += 1
    try {
      const response = await fetch(url, init)
      const body = await response.arrayBuffer()
      const { status, statusText, headers } = response
      if (status >= 500 || status === TOO_MANY_REQUESTS) this.failed()
      else this.#failures = 0
      return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
    } catch (error) {
      this.failed()
      throw error
    } finally {
      this.#running -= 1
    }
  }

  /** Leaves the provider alone for a while. Calls that were under way when it began count as one. */
  failed(): void {
    const now = this.#clock()
    if (now < this.#pausedUntil && this.#pausedUntil - now <= LONGEST_PAUSE) return
    this.#pausedUntil = now + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures)
    this.#failures += 1
  }
}
