import type { LabelMap } from '../../shared/names.ts'
import type { UsedBudget } from '../../shared/operation/budgets.ts'
import type { StorageProblem } from '../../shared/operation/storage-problem.ts'
import type { ChartReads } from './charts/charts.ts'
import type { CheckIn, FleetFacts, OutcomeReport } from './check-in.ts'
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
import type { HealthReads } from './health/facts.ts'
import type { LabelDelta } from './labels.ts'

/** The committed state of a fleet, whether or not a server is running. */
export interface FleetReads extends HealthReads {
  /** Reads a device; undefined if it is unknown. */
  device(appKey: number, deviceId: string): Promise<DeviceRecord | undefined>
  /** Counts devices by channel and version as of a UTC day, in days since 1970-01-01. */
  presence(appKey: number, today: number): Promise<VersionPresence[]>
  /** Counts the check-ins of 25 hours, of which the last is `hour`, in UTC hours since 1970-01-01. */
  traffic(appKey: number, hour: number): Promise<ChannelTraffic[]>
  /** Counts devices and check-ins of every channel; `hour` as above. */
  channelTotals(hour: number): Promise<ChannelTotals[]>
  /** Counts unique devices on the days `from` to `to` (days since 1970-01-01 UTC), oldest first. */
  adoption(appKey: number, from: number, to: number): Promise<AdoptionCell[]>
  /** Prepares to read every device of a channel as it is now. */
  scan(filter: ScanFilter): Promise<DeviceScan>
}

/** The health of the telemetry. */
export interface TelemetryHealth {
  /** Check-ins waiting to be written. */
  readonly queued: number
  /** Check-ins lost since the database was created, with PostgreSQL by this node since it started. */
  readonly lost: number
  /** Why the last write failed; null if it succeeded. */
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
   * Records what an app reports of an update, without a key, as `record` does. Ignores a device that is unknown, or was
   * last offered another release.
   */
  recordOutcome(report: OutcomeReport): void
  /**
   * Commits everything that one call with a key reports, all or nothing: resolves once it is durable. Rejects with
   * `NotStored` when there is not enough room, and when the write fails.
   */
  commit(facts: FleetFacts): Promise<void>
  /**
   * Stores what is counted of recent releases at `now` (Unix ms), once for each hour since their first offer, to compare
   * later ones with.
   */
  sampleHealth(now: number): Promise<void>
  /** Resolves when everything recorded so far is committed; rejects with `NotStored` if that fails. */
  settled(): Promise<void>
  readonly health: TelemetryHealth
}

/** Reads devices as of their last check-in, for decisions. */
export interface DeviceReads {
  /** Reads the profile of each device, in the given order; undefined if the device is unknown. */
  profilesOf(appKey: number, deviceIds: readonly string[]): Promise<(InstallProfile | undefined)[]>
  /** Returns a device's labels, none if it is unknown; undefined if they must be read first. */
  labelsInMemory(appKey: number, deviceId: string): LabelMap | undefined
  /** Reads the labels of each device, in the given order; none if the device is unknown. */
  labelsOf(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]>
}

/** Reads devices for people. Recorded facts are stored first, unless that fails. */
export interface DeviceViews {
  /** Reads the version history of a device, newest first, at most `limit` changes. */
  history(name: DeviceName, limit: number): Promise<ProfileChange[]>
  /** Reads at most `limit` check-ins, newest first, from the one with that id or from the newest. */
  checkIns(name: DeviceName, from: number | undefined, limit: number): Promise<LoggedCheckIn[]>
  /** Reads a page of an app's committed devices. */
  devices(query: DeviceQuery): Promise<DevicePage>
  /**
   * Reads at most `limit` committed devices of the apps whose ids begin with the prefix, ignoring case. Ordered
   * by app, then id; whether upper case comes first depends on the storage.
   */
  devicesBeginning(appKeys: readonly number[], prefix: string, limit: number): Promise<DeviceName[]>
  /** Counts all devices seen in the 90 days before `now`; a last check-in in the future counts. */
  activeDevices(now: number): Promise<readonly ActiveDevices[]>
}

/** Which check-ins to delete. */
export interface CheckInRule {
  /** Unix time in milliseconds; undefined keeps all. */
  readonly before: number | undefined
  readonly now: number
}

/** Which devices to delete. Unix time in milliseconds. */
export interface DeviceRule {
  /** Last seen before this. */
  readonly before: number
  /** The same for devices that were seen only once, without a key. */
  readonly onceBefore: number
}

/** Keeps a fleet within its limits. Rounds consist of short slices and can be ended between them. */
export interface FleetUpkeep {
  /** Unix time in milliseconds of the newest check-in stored before the start; 0 for none. */
  readonly newestSeenAtStart: number
  /** Deletes old check-ins, and hourly counts that no chart shows. Yields after every slice. */
  retainCheckIns(rule: CheckInRule): AsyncIterable<void>
  /** Deletes old devices. After every slice, yields how many were deleted. */
  retainDevices(rule: DeviceRule): AsyncIterable<number>
  /**
   * Retires unverified profiles that no device has and that were last used before the UTC day `before` or,
   * because of a wrong clock, after the day `after`; they are then counted as other.
   * Checks only some of them; the next call continues. Returns how many were retired.
   */
  retireProfiles(before: number, after: number): number | Promise<number>
  /** Reads some of the pending requests to forget a device. */
  pendingErasures(): Promise<readonly DeviceName[]>
  /**
   * Carries out requests to forget devices, and resolves once none of their data is stored. Rejects
   * while a channel is being removed: try again later.
   */
  forget(names: readonly DeviceName[]): Promise<void>
}

/** The storage of a fleet: devices, their version history, and counters. */
export interface FleetStore
  extends FleetRecorder,
    DeviceReads,
    DeviceViews,
    FleetReads,
    ChartReads {}
