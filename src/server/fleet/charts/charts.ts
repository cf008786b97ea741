import type { VersionPresence } from '../facts.ts'
import type { SeenPeriod } from '../time.ts'

/** The range of a chart, up to now. */
export type ChartRange = SeenPeriod

/** Steps of a chart, in UTC hours or days since 1970, both ends included. */
export interface ChartSpan {
  readonly unit: 'hour' | 'day'
  readonly from: number
  readonly to: number
}

export interface ChartQuery {
  readonly appKey: number
  /** The name of the app in the audit log. */
  readonly app: string
  /** One channel, or all of them. */
  readonly channel: { readonly key: number; readonly name: string } | null
  readonly span: ChartSpan
  /** The current UTC day, in days since 1970. */
  readonly today: number
  /** ISO 8601: changes of rollouts before it are not read. */
  readonly marksFrom: string
}

/** Unique devices of each version, at each step of a span. */
export type VersionSteps = ReadonlyMap<string, readonly number[]>

/** Devices at every step of a chart, by version. */
export interface AdoptionBands {
  total: number[]
  /** `version` is null for all versions without their own band. */
  bands: { version: string | null; devices: number[] }[]
  /** The number of versions; 0 if unknown. */
  otherVersions: number
}

export interface TrafficCount {
  readonly step: number
  readonly checkIns: number
  readonly anonymous: number
  readonly offers: number
}

/** Devices by their last check-in; texts as reported. */
export interface PlatformCount {
  readonly platform: string
  readonly arch: string
  readonly devices: number
}

/** A change of a release in the audit log; `before` and `after` are JSON. */
export interface ServingChangeRow {
  readonly at: string
  readonly channel: string
  readonly version: string
  readonly action: string
  readonly before: string
  readonly after: string
}

/** All from one snapshot of the database. Empty steps are left out. */
export interface ChartRows {
  readonly adoption: AdoptionBands
  readonly traffic: readonly TrafficCount[]
  readonly versions: readonly VersionPresence[]
  /** Newest first, at most `MAX_CHANGES`. */
  readonly changes: readonly ServingChangeRow[]
}

/** Maximum changes read for one chart. */
export const MAX_CHANGES = 100

/** Reads committed counters; never reads devices or check-ins. */
export interface ChartReads {
  charts(query: ChartQuery): Promise<ChartRows>
  /** Counts the devices on a version of a channel by platform and arch, as reported. */
  platformsOn(channelKey: number, version: string): Promise<PlatformCount[]>
}
