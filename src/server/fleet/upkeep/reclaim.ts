import type { FleetUpkeep } from '../store.ts'
import { dayOf } from '../time.ts'
import { ScheduledJob } from './scheduled-job.ts'

/** Milliseconds between rounds. */
const EVERY = 60_000
/** Days after which unused profiles are reclaimed if check-ins are kept forever. */
const FOREVER = 400

export interface ReclaimOptions {
  /** Days that check-ins are kept, 0 for forever. */
  readonly keepDays: number
  readonly onFailure: (error: unknown) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/**
 * Returns the job that retires unverified profiles that no device or stored check-in uses. The result is
 * written with the telemetry, whose health reports a failure.
 */
export function reclaim(
  fleet: Pick<FleetUpkeep, 'retireProfiles'>,
  { keepDays, onFailure, clock }: ReclaimOptions,
): ScheduledJob {
  // One day longer than check-ins are kept, because they are deleted a little later.
  const unusedDays = (keepDays === 0 ? FOREVER : keepDays) + 1
  const round = async () => {
    const today = dayOf(clock())
    await fleet.retireProfiles(today - unusedDays, today + 1)
  }
  return new ScheduledJob(round, { every: EVERY, onFailure })
}
