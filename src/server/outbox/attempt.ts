import type { Attempt } from '../../shared/webhook.ts'

/** What came of an attempt, and how long the receiver asked to wait. */
export interface AttemptResult {
  readonly attempt: Attempt
  readonly delivered: boolean
  /** It is not worth another attempt: HTTP 410, or a mail server that rejects for good. */
  readonly gone: boolean
  /** Milliseconds. */
  readonly retryAfter: number
}
