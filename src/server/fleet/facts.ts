import type { HealthState, Outcome } from '../../shared/health/health.ts'
import type { LabelMap } from '../../shared/names.ts'
import type { DecisionReason } from '../../shared/releases/manifest.ts'
import type { Phase } from './health/episode.ts'
import type { SeenPeriod } from './time.ts'

/** Version changes kept per device. */
export const KEPT_CHANGES = 100
/** Releases of a channel, by first offer, whose samples are kept. */
export const SAMPLED_RELEASES = 20

/** The channel, version, platform and arch of a device. Thousands of devices share one profile. */
export interface InstallProfile {
  readonly channelKey: number
  /** Canonical version text; `OTHER` for all versions that are counted as other. */
  readonly version: string
  /**
   * As reported, in lowercase; empty if a report did not include it, `OTHER` for all that are counted as other.
   */
  readonly platform: string
  readonly arch: string
}

/** A device as callers name it. */
export interface DeviceName {
  readonly appKey: number
  readonly deviceId: string
}

/** A device as of its last check-in. Times are Unix milliseconds, like all in this file. */
export interface DeviceRecord extends DeviceName {
  readonly profile: InstallProfile
  readonly labels: LabelMap
  readonly firstSeen: number
  readonly lastSeen: number
}

/** A change of a device's profile. */
export interface ProfileChange {
  readonly at: number
  /** null: no longer known, because its channel was removed, or it was unreleased and unused. */
  readonly profile: InstallProfile | null
}

/** A release as the fleet knows it. */
export interface OfferedRelease {
  readonly id: string
  readonly channelKey: number
  /** Canonical version text. */
  readonly version: string
}

/** The source of a check-in: the device itself, a fleet call on its behalf, or its app with the outcome of an update. */
export const SOURCES = ['check', 'decision', 'report', 'outcome'] as const
export type Source = (typeof SOURCES)[number]

/** A check-in as it was stored. */
export interface LoggedCheckIn extends ProfileChange {
  /** Rises with every check-in of the fleet. */
  readonly id: number
  readonly source: Source
  /** null for a report and an outcome. */
  readonly reason: DecisionReason | null
  /** What the app reported; null for all other sources. */
  readonly outcome: Outcome | null
  /** What it reported in words; empty for nothing. */
  readonly detail: string
  /** Where the device stands with the release that it was last offered; null if it was offered none. */
  readonly episode: LoggedEpisode | null
}

export interface LoggedEpisode {
  /** Meaningful to the store only. */
  readonly release: number
  /** Canonical version of the release; null if it is no longer known. */
  readonly version: string | null
  /** Never `silent`, which is a matter of time. */
  readonly state: HealthState
}

/** Devices of one channel and version, from the counters. Days are UTC days, today included. */
export interface VersionPresence {
  readonly channel: string
  readonly version: string
  readonly devices: number
  readonly seenToday: number
  readonly seenLast7Days: number
  readonly seenLast30Days: number
}

export interface ChannelTraffic {
  readonly channel: string
  /** Sums over the last 24 full hours and the current one. */
  readonly checkIns: number
  readonly anonymous: number
  readonly offers: number
}

/** A channel, from the counters. */
export interface ChannelTotals {
  readonly channelKey: number
  /** Known devices. */
  readonly devices: number
  /** Check-ins of the last 24 full hours and the current one. */
  readonly checkIns: number
}

/** Unique devices on one UTC day. */
export interface AdoptionCell {
  /** `2026-03-14`. */
  readonly day: string
  readonly channel: string
  readonly version: string
  readonly devices: number
}

/** Recently seen devices by their profile. */
export interface ActiveDevices {
  readonly profile: InstallProfile
  /** How many devices, by how long ago they were last seen. */
  readonly seen: Readonly<Record<SeenPeriod, number>>
}

export interface ScanFilter {
  readonly channelKey: number
  /** The release that `ScannedState.isOffered` is about; none without. */
  readonly releaseId?: string
}

/** Devices to read on another thread: `ticket` is sent there, and the storage opens it. */
export interface DeviceScan {
  /** The number of devices to read. */
  readonly devices: number
  readonly ticket: ScanTicket
}

/** The data with which a store reads devices on another thread. The other members are private to the store. */
export interface ScanTicket {
  readonly store: string
}

/** A device of a scan. */
export interface ScannedDevice {
  readonly deviceId: string
  readonly profile: InstallProfile
  /** Read on access. */
  readonly labels: LabelMap
  /** Read on access. */
  readonly state: ScannedState
}

/** What is known of a device from its check-ins. */
export interface ScannedState {
  readonly firstSeen: number
  readonly lastSeen: number
  /** Its usual interval, in seconds. */
  readonly interval: number
  /** Where it stands with the release that it was last offered. */
  readonly phase: Phase
  /** Whether that is the release of the scan. */
  readonly isOffered: boolean
  /** See `fleet/health/weight.ts`. */
  readonly evidence: number
  /** When it went back from the release that it was last offered; null if it did not. */
  readonly revertedAt: number | null
}
