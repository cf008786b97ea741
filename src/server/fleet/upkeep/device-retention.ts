import type { FleetUpkeep } from '../store.ts'
import { days } from '../time.ts'
import { ClockDoubt } from './clock-doubt.ts'
import { ScheduledJob } from './scheduled-job.ts'

/** Milliseconds between rounds. */
const EVERY = 3_600_000

export interface DeviceRetentionOptions {
  /** Days since last seen after which a device is deleted, 0 for never. */
  readonly keepDays: number
  /** The same for devices seen once without a key; 0 treats them like the others. */
  readonly keepSeenOnceDays: number
  /** Called when a round fails. */
  readonly onFailure: (error: unknown) => void
  /** Called with the number of devices that a round deleted, if any. */
  readonly onDeleted: (devices: number) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/**
 * Returns the job that deletes devices not seen for a long time, every hour. While the clock is in doubt, it
 * deletes none.
 */
export function deviceRetention(
  fleet: Pick<FleetUpkeep, 'retainDevices' | 'newestSeenAtStart'>,
  { keepDays, keepSeenOnceDays, onFailure, onDeleted, clock }: DeviceRetentionOptions,
): ScheduledJob {
  const doubt = new ClockDoubt({ clock, newestSeen: fleet.newestSeenAtStart })
  const round = async (ended: AbortSignal) => {
    const now = clock()
    const isDoubtful = doubt.isDoubtful
    const limitOf = (kept: number) =>
      kept === 0 || isDoubtful ? Number.NEGATIVE_INFINITY : now - days(kept)
    const rule = { before: limitOf(keepDays), onceBefore: limitOf(keepSeenOnceDays) }
    let deleted = 0
    try {
      for await (const devices of fleet.retainDevices(rule)) {
        deleted += devices
        if (ended.aborted) return
      }
    } finally {
      if (deleted > 0) onDeleted(deleted)
    }
  }
  return new ScheduledJob(round, { every: EVERY, onFailure })
}
