import { z } from 'zod'
import { AppRef, ChannelName, DeviceId, Timestamp, Version } from '../names.ts'
import { DecisionReason } from '../releases/manifest.ts'

/** How far the charts look back: the first two by the hour, the others by the day. */
export const FleetRange = z.enum(['24h', '7d', '30d', '90d'])
export type FleetRange = z.infer<typeof FleetRange>

/** The check-ins to show: of one channel, by default of the whole app. */
export const FleetScope = z.strictObject({ app: AppRef, channel: ChannelName.optional() })

/** Without an app, the first one that is not archived. */
export const DashboardInput = FleetScope.partial({ app: true }).extend({ range: FleetRange })
export type DashboardInput = z.infer<typeof DashboardInput>

/** How many colors there are for versions. */
export const VERSION_COLORS = 10

/** The color of every version that was published for an app: an index below `VERSION_COLORS`. */
export const VersionColors = z.record(
  z.string(),
  z
    .int()
    .min(0)
    .max(VERSION_COLORS - 1),
)
export type VersionColors = z.infer<typeof VersionColors>

/** Devices of one version at every step. */
const AdoptionBand = z.strictObject({
  /** Null for all versions together that have no band of their own. */
  version: Version.nullable(),
  devices: z.array(z.int()),
})

/** A change of a rollout, as a reason for a bend in a curve. */
export const RolloutMark = z.strictObject({
  at: Timestamp,
  channel: ChannelName,
  version: Version,
  change: z.enum(['published', 'raised', 'lowered', 'paused', 'resumed', 'rolled_back']),
  /** The rollout after the change, if the change includes it. */
  rolloutPct: z.int().nullable(),
})
export type RolloutMark = z.infer<typeof RolloutMark>

/** Devices of one platform and architecture; empty text where it is unknown. */
export const PlatformDevices = z.strictObject({
  platform: z.string(),
  arch: z.string(),
  devices: z.int(),
})
export type PlatformDevices = z.infer<typeof PlatformDevices>

/** What the fleet's screen shows. Every list of numbers has one for each step. */
export const Dashboard = z.strictObject({
  /** What a step is: an hour or a day, in UTC. */
  unit: z.enum(['hour', 'day']),
  /** When each step began, oldest first; the last one is not over yet. */
  steps: z.array(Timestamp),
  /** Devices that checked in during the step, each once, under the last version it had then. */
  adoption: z.strictObject({
    total: z.array(z.int()),
    /** Latest version first; the remaining devices last. */
    bands: z.array(AdoptionBand),
    /** How many versions are in the band of those that are left over; 0 if unknown. */
    otherVersions: z.int(),
  }),
  traffic: z.strictObject({
    checkIns: z.array(z.int()),
    /** Those of them without a device id. */
    anonymous: z.array(z.int()),
    /** Those of them that were answered with an update. */
    offers: z.array(z.int()),
  }),
  /** Devices by the platform of their last check-in, most first. */
  platforms: z.strictObject({
    /** Since when they were seen: the range back from now. */
    since: Timestamp,
    rows: z.array(PlatformDevices),
  }),
  /** Periods are those of the device list, back from now. */
  totals: z.strictObject({
    devices: z.int(),
    seenLast24Hours: z.int(),
    seenLast7Days: z.int(),
    seenLast30Days: z.int(),
    /** Of the devices of 7 days, the share on a live release of their channel, 0 to 1. */
    shareUpToDate: z.number().nullable(),
  }),
  /** Oldest first; the latest if there are too many. */
  marks: z.array(RolloutMark),
})
export type Dashboard = z.infer<typeof Dashboard>

/** One check-in, as it happened. */
export const LiveCheckIn = z.strictObject({
  /** Grows with every check-in of the server; unique while it runs. */
  sequence: z.int(),
  at: Timestamp,
  channel: ChannelName,
  /** Null for an anonymous check. */
  deviceId: DeviceId.nullable(),
  version: Version,
  /** Empty if unknown. */
  platform: z.string(),
  arch: z.string(),
  source: z.enum(['check', 'decision', 'report', 'outcome']),
  /** How it was answered; null for a report. */
  reason: DecisionReason.nullable(),
})
export type LiveCheckIn = z.infer<typeof LiveCheckIn>

/** Check-ins in one batch of the live feed, at most. */
export const LIVE_BATCH = 25

/** The check-ins since the previous batch. The first batch is empty and confirms the subscription. */
export const LiveBatch = z.strictObject({
  /** Newest first. */
  checkIns: z.array(LiveCheckIn).max(LIVE_BATCH),
  /** Older check-ins of the same time that were left out, here or by the nodes that they came to. */
  leftOut: z.int(),
})
export type LiveBatch = z.infer<typeof LiveBatch>
