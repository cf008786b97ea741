import type { Logger } from 'pino'
import { TokenBuckets } from '../../runtime/limits/token-buckets.ts'

/** Lines per minute and message. */
const LINES_PER_MINUTE = 10

/** Logs failures that anyone can cause, at most 10 lines per minute and message. The next line counts the omitted ones. */
export class FailureLog {
  readonly #log: Pick<Logger, 'error'>
  readonly #lines: TokenBuckets
  readonly #leftOut = new Map<string, number>()

  constructor(log: Pick<Logger, 'error'>, clock?: () => number) {
    this.#log = log
    const time = clock === undefined ? {} : { clock }
    this.#lines = new TokenBuckets({ capacity: LINES_PER_MINUTE, period: 60_000, ...time })
  }

  /** `message` must be one of few: the number of omitted lines is kept for each. */
  error(cause: unknown, message: string, fields: Readonly<Record<string, string>> = {}): void {
    const leftOut = this.#leftOut.get(message) ?? 0
    if (!this.#lines.take(message).allowed) {
      this.#leftOut.set(message, leftOut + 1)
      return
    }
    this.#leftOut.delete(message)
    this.#log.error({ err: cause, ...fields, ...(leftOut > 0 ? { leftOut } : {}) }, message)
  }
}
