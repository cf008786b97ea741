import type { FleetUpkeep } from '../store.ts'
import { days } from '../time.ts'
import { ScheduledJob } from './scheduled-job.ts'

/** Milliseconds between rounds. */
const EVERY = 60_000

export interface CheckInRetentionOptions {
  /** Days that check-ins are kept; 0 means forever. */
  readonly keepDays: number
  readonly onFailure: (error: unknown) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/** Returns the job that deletes old check-ins every minute. */
export function checkInRetention(
  fleet: Pick<FleetUpkeep, 'retainCheckIns'>,
  { keepDays, onFailure, clock }: CheckInRetentionOptions,
): ScheduledJob {
  const round = async (ended: AbortSignal) => {
    const now = clock()
    const before = keepDays === 0 ? undefined : now - days(keepDays)
    for await (const _slice of fleet.retainCheckIns({ before, now })) if (ended.aborted) return
  }
  return new ScheduledJob(round, { every: EVERY, onFailure })
}
