import type { VersionPresence } from '../facts.ts'
import { dayOf, days, hourOf, type SeenPeriod } from '../time.ts'

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

const SPANS: Readonly<Record<ChartRange, { unit: ChartSpan['unit']; steps: number }>> = {
  '24h': { unit: 'hour', steps: 24 },
  '7d': { unit: 'hour', steps: 168 },
  '30d': { unit: 'day', steps: 30 },
  '90d': { unit: 'day', steps: 90 },
}

/** Milliseconds of a step. */
const WIDTH = { hour: days(1) / 24, day: days(1) } as const

/** Returns the steps of a range that ends with the step that contains `now` (Unix ms). */
export function spanOf(range: ChartRange, now: number): ChartSpan {
  const { unit, steps } = SPANS[range]
  const to = unit === 'hour' ? hourOf(now) : dayOf(now)
  return { unit, from: to - steps + 1, to }
}

/** Returns when a step begins, as ISO 8601. */
export function stepStart(unit: ChartSpan['unit'], step: number): string {
  return new Date(step * WIDTH[unit]).toISOString()
}

/** Returns when each step begins, oldest first. */
export function stepStarts({ unit, from, to }: ChartSpan): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => stepStart(unit, from + index))
}

/** Returns the count of each step of a span, zero if there is none. Adds up the counts of one step. */
export function fillSteps<Count extends { readonly step: number }>(
  { from, to }: ChartSpan,
  counts: readonly Count[],
  of: (count: Count) => number,
): number[] {
  const filled = new Array<number>(to - from + 1).fill(0)
  for (const count of counts) {
    const index = count.step - from
    if (index >= 0 && index < filled.length) filled[index] = (filled[index] ?? 0) + of(count)
  }
  return filled
}
