import { z } from 'zod'
import { DecisionExplanation } from '../devices/explanation.ts'
import { UpdaterClient } from '../files/updater.ts'
import {
  AppRef,
  AppRefOrId,
  Arch,
  BundleKind,
  ChannelName,
  ChannelPlace,
  DeviceId,
  InstalledVersion,
  Labels,
  Platform,
  RunningVersion,
  SystemVersion,
  Timestamp,
  Version,
} from '../names.ts'
import { UpdateManifest } from '../releases/manifest.ts'
import { ReleaseListQuery } from '../releases/release-list.ts'

/** Which releases to list. */
export const ReleasesInput = z.strictObject({
  app: AppRefOrId.optional(),
  channel: ChannelName.optional(),
  page: ReleaseListQuery.shape.page,
  perPage: ReleaseListQuery.shape.per_page,
})

/** One release. */
export const AnyRelease = ChannelPlace.extend({ version: Version })

export const AnyDevice = z.strictObject({ app: AppRefOrId, deviceId: DeviceId })

/** A device as its last check-in or report left it. */
export const DeviceRecord = z.strictObject({
  app: AppRef,
  deviceId: DeviceId,
  /** Null if the channel was deleted. */
  channel: ChannelName.nullable(),
  version: RunningVersion,
  /** Empty if it is unknown; likewise `arch`. */
  platform: z.string(),
  arch: z.string(),
  labels: z.record(z.string(), z.string()),
  firstSeen: Timestamp,
  lastSeen: Timestamp,
})
export type DeviceRecord = z.infer<typeof DeviceRecord>

/** Facts that are assumed in place of those that are recorded. */
export const DecisionInput = AnyDevice.extend({
  channel: ChannelName,
  client: UpdaterClient.optional(),
  assumed: z.strictObject({
    version: InstalledVersion.optional(),
    platform: Platform.optional(),
    arch: Arch.optional(),
    bundle: BundleKind.optional(),
    system: SystemVersion.optional(),
    labels: Labels.optional(),
    /** Whether a person asked for the check. */
    manual: z.boolean().optional(),
  }),
})

/** The decision on a device, and why; or what is unknown of it and must be given. */
export const DecisionResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('explained'),
    /** Whether the device is recorded; otherwise all of its facts are assumed. */
    known: z.boolean(),
    labels: z.record(z.string(), z.string()),
    explanation: DecisionExplanation,
    update: UpdateManifest.nullable(),
  }),
  z.strictObject({
    kind: z.literal('incomplete'),
    lacks: z.enum(['device', 'version', 'system']),
  }),
])
export type DecisionResult = z.infer<typeof DecisionResult>

const Presence = z.strictObject({
  devices: z.int(),
  seenToday: z.int(),
  seenLast7Days: z.int(),
  seenLast30Days: z.int(),
})

const Traffic = z.strictObject({ checkIns: z.int(), anonymous: z.int(), offers: z.int() })

/** Counts of the devices of an app. */
export const FleetCounts = Presence.extend({
  app: AppRef,
  last24Hours: Traffic,
  channels: z.array(
    Presence.extend({
      channel: ChannelName,
      last24Hours: Traffic,
      /** Latest version first. */
      versions: z.array(
        Presence.extend({
          version: RunningVersion,
          /** Of the devices of the app, 0 to 1. */
          share: z.number(),
        }),
      ),
    }),
  ),
  /** Milliseconds that counting took. */
  queryMs: z.number(),
})
export type FleetCounts = z.infer<typeof FleetCounts>
