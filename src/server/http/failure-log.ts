import type { Logger } from 'pino'
import { TokenBuckets } from '../limits/token-buckets.ts'

/** Lines a minute of one message. */
const LINES_PER_MINUTE = 10

/**
 * Logs failures that anyone can cause again and again, such as every request while the disk does
 * not answer: at most 10 lines a minute of one message. The next line says how many were left out.
 */
export class FailureLog {
  readonly #log: Pick<Logger, 'error'>
  readonly #lines: TokenBuckets
  readonly #leftOut = new Map<string, number>()

  constructor(log: Pick<Logger, 'error'>, clock?: () => number) {
    this.#log = log
    const time = clock === undefined ? {} : { clock }
    this.#lines = new TokenBuckets({ capacity: LINES_PER_MINUTE, period: 60_000, ...time })
  }

  /** `message` is one of few: how many were left out is kept for each. */
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
