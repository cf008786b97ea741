import type { LabelMap } from '../../../shared/names.ts'
import type { DeviceName, InstallProfile, OfferedRelease } from '../../fleet/facts.ts'
import type { LabelDelta } from '../../fleet/labels.ts'

/** A profile with the number by which devices, check-ins and counters refer to it. */
export interface NumberedProfile extends InstallProfile {
  readonly id: number
}

/** A profile as stored, with the data that determines how long it is kept. */
export interface StoredProfile extends NumberedProfile {
  readonly appKey: number
  /** The source that verifies it: 0 none, 1 a release of the channel, 2 a call with a key. */
  readonly namedBy: 0 | 1 | 2
  /** UTC day on which it was last used. */
  readonly lastDay: number
}

/** A release with the number by which devices, check-ins and counters refer to it. */
export interface NumberedRelease extends OfferedRelease {
  readonly number: number
  /** Unix time in milliseconds at which the first device was offered it. */
  readonly offeredAt: number
}

/** What an app reported in words. */
export interface OutcomeDetail {
  readonly checkIn: number
  readonly release: number
  readonly device: number
  readonly at: number
  readonly detail: string
}

export interface NewDevice extends DeviceName {
  /** Assigned by the fleet, from 1: a new number, or that of a deleted device that nothing refers to. */
  readonly id: number
  readonly profile: number
  /** Unix time in milliseconds, as every time in this file. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** Ids of the check-in that it came with, and of its first profile change; 0 if it has none. */
  readonly lastCheckIn: number
  readonly lastChange: number
  /** As `DeviceTable` has them; see `packEpisode`. */
  readonly episode: number
  readonly offeredAt: number
  /** See `fleet/health/weight.ts`. */
  readonly evidence: number
  /** False if its first check-in came without a key. */
  readonly keyed: boolean
}

/**
 * Numbers of one check-in in `TelemetryBatch.checkIns`: id, device (0: anonymous), at, profile, kind,
 * and the id of the same device's check-in before (0: none). The kind contains the device's episode after it, see
 * `kindOf`.
 */
export const CHECK_IN_WIDTH = 6
/** Numbers of one profile change in `changes`: id (of its check-in), device, at, profile, previous. */
export const CHANGE_WIDTH = 5
/** Numbers of one device in `gone`: id, and its newest check-in and profile change; 0 for none. */
export const GONE_WIDTH = 3
/** Numbers of one device in `deviceRows`: profile, lastSeen, lastCheckIn, lastChange, episode, offeredAt, evidence, id. */
export const DEVICE_ROW_WIDTH = 8
/** Numbers of one profile in `profileRows`: namedBy, lastDay, id. */
export const PROFILE_ROW_WIDTH = 3
/** Numbers of one profile in `retired`: id, and the number of its channel's other. */
export const RETIRED_WIDTH = 2
/**
 * Numbers of one cell in `adoption`, `presence` and `hourly`: profile, day or hour, difference; in `health`: release,
 * cell, difference.
 */
export const COUNTER_WIDTH = 3
/** Numbers of one cell in `traffic`: channel, hour, check-ins, anonymous ones, offers. */
export const TRAFFIC_WIDTH = 5

/** Everything that one commit writes, all or nothing. Packed, because it is sent to a thread. */
export interface TelemetryBatch {
  /** Increases by one with each batch. A batch whose number is already committed is not applied again. */
  readonly number: number
  readonly profiles: readonly StoredProfile[]
  /** Stored profiles that were used again, or verified. */
  readonly profileRows: Float64Array
  /** Profiles that are no longer used: what was counted under them is counted as other. */
  readonly retired: Float64Array
  /**
   * Devices to delete with all their data except raw check-ins, which are no longer linked to a device.
   * Deleted before `newDevices` are inserted: a deleted device may be back under another number.
   */
  readonly gone: Float64Array
  /** Requests to forget a device that this batch carries out. */
  readonly erased: readonly DeviceName[]
  readonly newDevices: readonly NewDevice[]
  readonly checkIns: Float64Array
  /** New devices and devices with a new profile, in the order of the check-ins. */
  readonly changes: Float64Array
  /** Unique devices per day and profile; a device counts once a day, with its last profile. */
  readonly adoption: Float64Array
  /** The same per hour. */
  readonly hourly: Float64Array
  /** Devices by the profile and the day of their last check-in. */
  readonly presence: Float64Array
  readonly traffic: Float64Array
  /** Releases that were offered for the first time, in the order of their numbers. */
  readonly releases: readonly NumberedRelease[]
  /** Devices by release and what became of them. */
  readonly health: Float64Array
  readonly details: readonly OutcomeDetail[]
  /** Changes to the labels of devices. */
  readonly labels: readonly (readonly [device: number, change: LabelDelta])[]
  /** Device rows to update from the log, sorted by id. */
  readonly deviceRows: Float64Array
  /** Check-ins up to this id are contained in the device rows. Those above are replayed at start. */
  readonly rowsThrough: number
  /** Check-ins lost so far. */
  readonly lost: number
}

/** Frees the packed numbers of a batch that was written. The garbage collector would wait until they are 64 MB. */
export function freePacked(batch: object): void {
  for (const packed of Object.values(batch)) {
    const buffer: unknown = packed instanceof Float64Array && packed.buffer
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}

/** Where numbering continues after a start. */
export interface TelemetryState {
  readonly batch: number
  readonly lastCheckIn: number
  /** The device rows contain the check-ins up to this one. */
  readonly rowsThrough: number
  readonly lost: number
  /** The highest numbers that were assigned before the last removal, of devices also those in use. They are not assigned again. */
  readonly lastDevice: number
  readonly lastProfile: number
  readonly lastRelease: number
}

/** Receives the stored data at startup. Called in this order: profiles, releases, devices, freed numbers, check-ins, changes. */
export interface FleetLoader {
  profile(profile: StoredProfile): void
  release(release: NumberedRelease): void
  /** `labels`: as JSON; null for none. */
  device(
    id: number,
    appKey: number,
    deviceId: string,
    profile: number,
    lastSeen: number,
    labels: string | null,
    lastCheckIn: number,
    lastChange: number,
    firstSeen: number,
    episode: number,
    offeredAt: number,
    evidence: number,
  ): void
  /** The number of a deleted device, with the newest check-in that the log may have of it. */
  freed(device: number, lastCheckIn: number): void
  /** A check-in that not all device rows contain yet, oldest first. */
  replay(device: number, profile: number, at: number, checkIn: number, stage: number): void
  /** A profile change that came with such a check-in, oldest first. */
  change(device: number, change: number): void
  /** A stored cell of the presence counter. */
  presence(profile: number, day: number, devices: number): void
  /** A stored cell of the counters of a release. */
  health(release: number, cell: number, devices: number): void
}

/** The position of a sweep through the log, from the newest check-in back. */
export interface LogSweep {
  /** Check-ins with lower numbers are still to be checked; 0 at the end. */
  readonly below: number
  /** Time of the nearest later check-in with a clock that was not ahead. */
  readonly later: number
}

/** The database behind the fleet in memory. */
export interface TelemetryDatabase {
  /** Stored labels, in the order of `devices`; none if a device is not stored. */
  labels(devices: readonly number[]): Promise<LabelMap[]>
  state(): Promise<TelemetryState>
  load(loader: FleetLoader): Promise<void>
  /**
   * Commits a batch durably. Returns how many milliseconds its device rows took, so that the
   * caller can pace them. Rejects when it could not commit; the batch can be retried. If a
   * constraint refuses a row, the error has the code `rejected`.
   */
  commit(batch: TelemetryBatch): Promise<number>
  /**
   * Commits a batch without the rows that a constraint refuses; a bounded number of those is kept
   * for inspection. Returns how many check-ins and new devices were refused.
   */
  salvage(batch: TelemetryBatch): Promise<number>
  /**
   * Deletes at most `limit` of the oldest check-ins that are older than `before`, of those that
   * the device rows contain. A wrong clock may have left some that are later than `now`. They stay, and do not
   * keep the others. Returns how many were deleted.
   */
  deleteCheckIns(before: number, now: number, limit: number): Promise<number>
  /**
   * Checks the next `limit` check-ins of a sweep, of those that the device rows contain, and
   * deletes what is older than `before`, wherever it is in the log. One that is later than `now` by
   * a day or more comes from a wrong clock: it is as old as the check-in after it. Returns where the
   * sweep continues.
   */
  sweepCheckIns(sweep: LogSweep, before: number, now: number, limit: number): Promise<LogSweep>
  /**
   * Deletes hourly adoption before the hour `before` of the next `limit` profiles after number `after`. Returns
   * the last of them, 0 if there are no more.
   */
  deleteHourlyAdoption(before: number, after: number, limit: number): Promise<number>
  /** Stores what the counters of recent releases say at `now` (Unix ms), once for each hour of their age. */
  sampleHealth(now: number): Promise<void>
  close(): Promise<void>
}
