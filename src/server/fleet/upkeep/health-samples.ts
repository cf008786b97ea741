import type { FleetRecorder } from '../store.ts'
import { ScheduledJob } from './scheduled-job.ts'

/** Milliseconds between rounds, each of which adds at most one sample per release and hour. */
const EVERY = 20 * 60_000

export interface HealthSamplesOptions {
  readonly onFailure: (error: unknown) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/** Returns the job that stores the health of recent releases every hour, for comparisons at the same age. */
export function healthSamples(
  fleet: Pick<FleetRecorder, 'sampleHealth'>,
  { onFailure, clock }: HealthSamplesOptions,
): ScheduledJob {
  return new ScheduledJob(() => fleet.sampleHealth(clock()), { every: EVERY, onFailure })
}
