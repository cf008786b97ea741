import { z } from 'zod'
import { OTHER } from '../devices/counting.ts'
import { DecisionExplanation } from '../devices/explanation.ts'
import { UpdaterClient } from '../files/updater.ts'
import { HEALTH_STATES, Outcome } from '../health/health.ts'
import {
  AppRef,
  Arch,
  BundleKind,
  ChannelName,
  DeviceId,
  InstalledVersion,
  Platform,
  RunningVersion,
  SystemVersion,
  Timestamp,
  Version,
} from '../names.ts'
import { EarlyAccessBy } from '../releases/channel.ts'
import { DecisionReason } from '../releases/manifest.ts'

/** Devices on a page of the list. */
export const DEVICES_PER_PAGE = 50
/** Check-ins on a page of a device. */
export const CHECK_INS_PER_PAGE = 20

/** How long ago a device was last seen, back from now. */
export const SeenWithin = z.enum(['any', '24h', '7d', '30d', '90d'])
export type SeenWithin = z.infer<typeof SeenWithin>

export const DeviceSort = z.enum(['lastSeen', 'firstSeen', 'deviceId', 'version'])
export type DeviceSort = z.infer<typeof DeviceSort>

export const SortOrder = z.enum(['asc', 'desc'])
export type SortOrder = z.infer<typeof SortOrder>

/** Longest text to search for: a label's key and value with the mark between them. */
export const MAX_DEVICE_SEARCH = 320

/** Most devices that one exported file holds. */
export const MAX_EXPORT_DEVICES = 200_000

/** A state, all of them that are failures, or all of them. */
export const HealthFilter = z.enum([...HEALTH_STATES, 'failed', 'offered'])
export type HealthFilter = z.infer<typeof HealthFilter>

/** Which devices of an app are meant. */
export const DeviceFilterInput = z.strictObject({
  app: AppRef,
  channel: ChannelName.optional(),
  version: RunningVersion.optional(),
  /** Compared after aliases, as `arch`. */
  platform: z.union([Platform, z.literal(OTHER)]).optional(),
  arch: z.union([Arch, z.literal(OTHER)]).optional(),
  seen: SeenWithin.default('any'),
  /** Devices that were last offered this release, by what became of them. */
  health: z
    .strictObject({ channel: ChannelName, version: Version, state: HealthFilter })
    .optional(),
  /** The beginning of a device id, or a label as `key=value`; `key=` is the label with any value. */
  search: z
    .string()
    .max(MAX_DEVICE_SEARCH, `must be at most ${MAX_DEVICE_SEARCH} characters`)
    .optional(),
})
export type DeviceFilterInput = z.infer<typeof DeviceFilterInput>

export const DeviceListInput = DeviceFilterInput.extend({
  sort: DeviceSort.default('lastSeen'),
  order: SortOrder.default('desc'),
  /** Cursor of another page of the same list; the first page without. */
  cursor: z.string().max(400, 'must be at most 400 characters').optional(),
  direction: z.enum(['next', 'previous']).default('next'),
})
export type DeviceListInput = z.infer<typeof DeviceListInput>

const Labels = z.record(z.string(), z.string())

/** The version, platform and channel of a device. */
export const DeviceProfile = z.strictObject({
  /** Null if the channel was removed. */
  channel: ChannelName.nullable(),
  version: RunningVersion,
  /** As reported; empty if unknown, `OTHER` if it is counted together with others. */
  platform: z.string(),
  arch: z.string(),
})
export type DeviceProfile = z.infer<typeof DeviceProfile>

export const DeviceListItem = DeviceProfile.extend({
  deviceId: DeviceId,
  firstSeen: Timestamp,
  lastSeen: Timestamp,
  labels: Labels,
})
export type DeviceListItem = z.infer<typeof DeviceListItem>

/** A page of the list, as of one moment. */
export const DeviceListPage = z.strictObject({
  devices: z.array(DeviceListItem),
  /** Devices that match, and devices of the app. */
  total: z.int(),
  known: z.int(),
  /** Matching devices before the first of this page; null if they were not counted. */
  offset: z.int().nullable(),
  /** Cursors of the neighbouring pages; null if there is none. */
  previous: z.string().nullable(),
  next: z.string().nullable(),
  asOf: Timestamp,
  /** What devices of the app run, to choose from: the most common of each, versions newest first. */
  choices: z.strictObject({
    versions: z.array(RunningVersion),
    platforms: z.array(z.string()),
    arches: z.array(z.string()),
  }),
})
export type DeviceListPage = z.infer<typeof DeviceListPage>

export const DevicePlace = z.strictObject({ app: AppRef, deviceId: DeviceId })
export type DevicePlace = z.infer<typeof DevicePlace>

export const DeviceDetail = DeviceListItem.extend({
  app: AppRef,
  /** Its version history, newest first; at most 50 entries. */
  history: z.array(
    DeviceProfile.extend({
      at: Timestamp,
      /** Null if what it ran is no longer known. */
      version: RunningVersion.nullable(),
    }),
  ),
  /** Whether there is more before the oldest of them. */
  moreHistory: z.boolean(),
  /** Days that check-ins are kept; 0 means forever. */
  keepCheckInDays: z.int(),
  /** Early access on its channel; null if the channel was removed. */
  earlyAccess: z
    .strictObject({
      /** How the device is on the list; null if it is not. */
      by: EarlyAccessBy.nullable(),
      /** Whether the channel requires approval, so that only an administrator can change the list. */
      requiresApproval: z.boolean(),
    })
    .nullable(),
})
export type DeviceDetail = z.infer<typeof DeviceDetail>

export const DeviceCheckInsInput = DevicePlace.extend({
  /** `older` of the page before; the latest check-ins without. */
  from: z.int().min(1, 'must be 1 or more').optional(),
})

export const DeviceCheckIn = z.strictObject({
  id: z.int(),
  at: Timestamp,
  source: z.enum(['check', 'decision', 'report', 'outcome']),
  /** How it was answered; null for a report. */
  reason: DecisionReason.nullable(),
  /** What its app reported of an update; null otherwise. */
  outcome: Outcome.nullable(),
  /** Null if what it ran is no longer known. */
  channel: ChannelName.nullable(),
  version: RunningVersion.nullable(),
})
export type DeviceCheckIn = z.infer<typeof DeviceCheckIn>

/** Newest first. */
export const DeviceCheckIns = z.strictObject({
  checkIns: z.array(DeviceCheckIn),
  /** Where the next older page begins; null if nothing older is kept. */
  older: z.int().nullable(),
})
export type DeviceCheckIns = z.infer<typeof DeviceCheckIns>

/** What happened to a device with a release. */
export const DeviceEvent = z.strictObject({
  at: Timestamp,
  kind: z.enum(['offered', 'sent_back', 'outcome', 'adopted', 'stuck', 'reverted', 'reported']),
  /** Of the release; null if it is no longer known. */
  version: Version.nullable(),
  outcome: Outcome.nullable(),
  /** What its app reported in words; empty for nothing. */
  detail: z.string(),
})
export type DeviceEvent = z.infer<typeof DeviceEvent>

/** Newest first, from as many check-ins as are looked at. */
export const DeviceTimeline = z.strictObject({
  events: z.array(DeviceEvent),
  /** The time of the oldest check-in that was looked at; null if none is kept. */
  since: Timestamp.nullable(),
})
export type DeviceTimeline = z.infer<typeof DeviceTimeline>

export const ExplainInput = DevicePlace.extend({
  /** As if it asked on this channel with this updater, ran this version, and named this kind of bundle and this system. */
  channel: ChannelName.optional(),
  client: UpdaterClient.optional(),
  version: InstalledVersion.optional(),
  bundle: BundleKind.optional(),
  system: SystemVersion.optional(),
  /** As if a person asked for the check. */
  manual: z.boolean().optional(),
})

/** The decision on a device when it asks now, and why. */
export const Explanation = DecisionExplanation.extend({
  /** Whether the channel or the version is another than the device's own, or more was assumed of it. */
  assumed: z.boolean(),
  /** Candidates beyond the first hundred, which are named. */
  moreCandidates: z.int(),
})
export type Explanation = z.infer<typeof Explanation>
