import type { Attempt } from '../../../shared/events/webhook.ts'

/** Milliseconds until the second attempt, the factor of each later wait, and the longest one. */
const FIRST = 5_000
const FACTOR = 3
const LONGEST = 4 * 3_600_000

/** Milliseconds from the event to the last attempt. */
export const GIVE_UP = 24 * 3_600_000

/** Returns the milliseconds to wait after that many attempts, exponential with a fifth of jitter. `random`: 0 to 1. */
export function waitAfter(tries: number, random: number = Math.random()): number {
  const wait = Math.min(LONGEST, FIRST * FACTOR ** (tries - 1))
  return Math.round(wait * (0.8 + 0.4 * random))
}

/** Returns when to try again, as ISO 8601; null when that would be after `giveUpAt`. `asked`: milliseconds that the receiver asked for. */
export function nextAttempt(
  { tries, giveUpAt }: { readonly tries: number; readonly giveUpAt: string },
  now: number,
  asked = 0,
): string | null {
  const next = now + Math.min(LONGEST, Math.max(waitAfter(tries), asked))
  return next > Date.parse(giveUpAt) ? null : new Date(next).toISOString()
}

/** What came of an attempt, and how long the receiver asked to wait. */
export interface AttemptResult {
  readonly attempt: Attempt
  readonly delivered: boolean
  /** It is not worth another attempt: HTTP 410, or a mail server that rejects for good. */
  readonly gone: boolean
  /** The subscription of a browser has ended: nothing more can be sent to it. */
  readonly expired?: boolean
  /** Milliseconds. */
  readonly retryAfter: number
}
