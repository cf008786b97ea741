import type { ReleaseHealth } from '../../../shared/health/health.ts'
import type { OfferedRelease } from '../facts.ts'
import type { CountedHealth } from './release-counts.ts'

/** A release that devices were offered, as it is stored. */
export interface OfferedRow extends OfferedRelease {
  /** What counters and samples have of it. */
  readonly number: number
  /** Unix time in milliseconds of the first offer. */
  readonly offeredAt: number
}

/** What became of the devices that were offered a release. */
export type CountedRelease = Omit<OfferedRow, 'number'> & CountedHealth

export interface ChannelHealthQuery {
  readonly channelKey: number
  /** Unix time in milliseconds: decides which devices are silent. */
  readonly now: number
  /** Most releases. */
  readonly limit: number
}

/** What an app reported in words. */
export interface ReportedDetail {
  readonly deviceId: string
  /** Unix time in milliseconds. */
  readonly at: number
  readonly detail: string
}

/** Reads what became of devices that were offered a release, as committed. Costs no look at devices. */
export interface HealthReads {
  /** Reads the releases of a channel that a device was offered, the one first offered last at the beginning. */
  channelHealth(query: ChannelHealthQuery): Promise<CountedRelease[]>
  /** Reads one release, by its id; null if no device was offered it. `now`: Unix ms. */
  releaseHealth(releaseId: string, now: number): Promise<CountedRelease | null>
  /** Reads the last sample of a release at that age or before, in hours since the first offer; null if there is none. */
  healthAt(releaseId: string, age: number): Promise<ReleaseHealth | null>
  /** Reads the hours (since 1970-01-01 UTC) with check-ins that `silence` needs at `hour`. */
  busyHours(hour: number): Promise<ReadonlySet<number>>
  /** Reads what apps reported in words of a release, newest first, at most 100. */
  outcomeDetails(releaseId: string, limit: number): Promise<ReportedDetail[]>
}
