import type { UsedBudget } from '../../shared/budgets.ts'
import type { LabelMap } from '../../shared/names.ts'
import type { StorageProblem } from '../../shared/storage-problem.ts'
import type { ChartReads } from './charts/charts.ts'
import type { CheckIn, FleetFacts } from './check-in.ts'
import type { DevicePage, DeviceQuery } from './device-query.ts'
import type {
  ActiveDevices,
  AdoptionCell,
  ChannelTotals,
  ChannelTraffic,
  DeviceName,
  DeviceRecord,
  DeviceScan,
  InstallProfile,
  LoggedCheckIn,
  ProfileChange,
  ScanFilter,
  VersionPresence,
} from './facts.ts'
import type { LabelDelta } from './labels.ts'

/** What is committed of a fleet, whether a server runs on it or not. */
export interface FleetReads {
  /** Reads a device; undefined if it is not known. */
  device(appKey: number, deviceId: string): Promise<DeviceRecord | undefined>
  /** Counts devices by channel and version as of a UTC day, in days since 1970-01-01. */
  presence(appKey: number, today: number): Promise<VersionPresence[]>
  /** Counts the check-ins of 25 hours, of which the last is `hour`, in UTC hours since 1970-01-01. */
  traffic(appKey: number, hour: number): Promise<ChannelTraffic[]>
  /** Counts devices and check-ins of every channel; `hour` as above. */
  channelTotals(hour: number): Promise<ChannelTotals[]>
  /** Counts unique devices on the days `from` to `to` (days since 1970-01-01 UTC), oldest first. */
  adoption(appKey: number, from: number, to: number): Promise<AdoptionCell[]>
}

/** How the telemetry is doing. */
export interface TelemetryHealth {
  /** Check-ins that wait to be written. */
  readonly queued: number
  /** Check-ins lost since the database was made. */
  readonly lost: number
  /** Why the last write failed, or null. */
  readonly failure: StorageProblem | null
  /** Budgets that refused something within the last hour. */
  readonly budgets: readonly UsedBudget[]
}

/** Records what devices report. Recorded facts are visible immediately. */
export interface FleetRecorder {
  /**
   * Records a check-in, and the labels that changed with it, to be committed soon. Never waits and never
   * fails: if there is no room, the check-in is counted as lost; a combination beyond the budget is
   * counted as other.
   */
  record(checkIn: CheckIn, labels?: LabelDelta): void
  /**
   * Commits everything that one call with a key reports, all or nothing: resolves once it is durable. Rejects with
   * `NotStored` when there is no room for all, and when the write fails.
   */
  commit(facts: FleetFacts): Promise<void>
  /** Resolves when everything recorded so far is committed; rejects with `NotStored` if that fails. */
  settled(): Promise<void>
  readonly health: TelemetryHealth
}

/** Reads devices as of their last check-in, for decisions. */
export interface DeviceReads {
  /** Returns what a known device runs. */
  profileOf(appKey: number, deviceId: string): InstallProfile | undefined
  /** Returns a device's labels, none if it is not known; undefined if they must be read first. */
  labelsInMemory(appKey: number, deviceId: string): LabelMap | undefined
  /** Reads the labels of each device, in the order given; none if the device is not known. */
  labelsOf(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]>
}

/** Reads devices for people. Recorded facts are stored first, unless that fails. */
export interface DeviceViews {
  /** Reads what a device ran, newest first, at most `limit` changes. */
  history(name: DeviceName, limit: number): Promise<ProfileChange[]>
  /** Reads check-ins, newest first, at most `limit`, from the one with that id on or from the newest. */
  checkIns(name: DeviceName, from: number | undefined, limit: number): Promise<LoggedCheckIn[]>
  /** Reads a page of an app's devices. What is not committed yet is not listed. */
  devices(query: DeviceQuery): Promise<DevicePage>
  /**
   * Reads at most `limit` devices of the apps whose ids begin with one of the prefixes, which must not begin
   * with each other. Ordered by app, then prefix, then id. What is not committed yet is not found.
   */
  devicesBeginning(
    appKeys: readonly number[],
    prefixes: readonly string[],
    limit: number,
  ): Promise<DeviceName[]>
  /** Counts all devices seen in the 90 days before `now`; a last check-in in the future counts. */
  activeDevices(now: number): Promise<readonly ActiveDevices[]>
  /** Prepares to read every device of a channel as it is now. */
  scan(filter: ScanFilter): DeviceScan
}

/** Which check-ins are old. */
export interface CheckInRule {
  /** Unix time in milliseconds; undefined keeps all. */
  readonly before: number | undefined
  readonly now: number
}

/** Which devices are old. Unix time in milliseconds. */
export interface DeviceRule {
  /** Last seen before this. */
  readonly before: number
  /** The same for devices that were seen only once, without a key. */
  readonly onceBefore: number
}

/** Keeps a fleet within its limits. Rounds are cut into short slices, between which they can be ended. */
export interface FleetUpkeep {
  /** Unix time in milliseconds of the newest check-in that was stored at the start; 0 for none. */
  readonly newestSeenAtStart: number
  /** Deletes old check-ins, and counts by the hour that no chart shows. Yields after every slice. */
  retainCheckIns(rule: CheckInRule): AsyncIterable<void>
  /** Deletes old devices. Yields how many it deleted after every slice. */
  retainDevices(rule: DeviceRule): AsyncIterable<number>
  /**
   * Retires profiles that nobody vouches for, that no device has, and that were last used before the UTC
   * day `before` or, because of a wrong clock, after the day `after`; they are then counted as other.
   * Checks only some of them; the next call continues. Returns how many were retired.
   */
  retireProfiles(before: number, after: number): number
  /** Reads requests to forget a device that are not carried out, a few at a time. */
  pendingErasures(): Promise<readonly DeviceName[]>
  /**
   * Forgets devices that someone asked to forget, and resolves once none of their data is stored. Rejects
   * while a channel is being removed: try again later.
   */
  forget(names: readonly DeviceName[]): Promise<void>
}

/** The storage of a fleet: what devices run, what they ran, and counters of both. */
export interface FleetStore
  extends FleetRecorder,
    DeviceReads,
    DeviceViews,
    FleetReads,
    ChartReads {}
