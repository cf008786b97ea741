import type { BucketUnavailable } from '../../../shared/hosted-file.ts'
import { Refusal } from '../../catalog/errors.ts'

/** Why a bucket cannot be used. */
export interface BucketOutage {
  readonly facts: BucketUnavailable
  /** Unix time in milliseconds. */
  readonly since: number
}

/** Milliseconds after which people hear of an outage. A server that is restarted is back sooner. */
const LASTING = 2 * 60_000

/** Returns an outage that people should hear of at a time in Unix milliseconds; null for every other one. */
export function lastingOutage(outage: BucketOutage | null, now: number): BucketOutage | null {
  return outage !== null && now - outage.since >= LASTING ? outage : null
}

/** Returns the outage that an error shows; null for an error that is not about the bucket. `since`: of an earlier error. */
export function outageOf(error: unknown, since: number): BucketOutage | null {
  if (!(error instanceof Refusal) || error.facts.code !== 'bucket_unavailable') return null
  return { facts: error.facts, since }
}
