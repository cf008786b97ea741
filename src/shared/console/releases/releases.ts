import { z } from 'zod'
import { ChangeId, HistoryEntry } from '../../events/audit.ts'
import { ProofFailure } from '../../files/proof.ts'
import {
  AppRef,
  AppRefOrId,
  ChannelName,
  RELEASE_NAMES,
  RolloutPct,
  Timestamp,
  Version,
} from '../../names.ts'
import { Comment } from '../../releases/change-request.ts'
import { Artifact, PublishBody, Release, ReleaseStatus } from '../../releases/release.ts'
import { Targets } from '../../releases/targets.ts'
import { PlatformDevices } from '../fleet.ts'

/** The serving state of a release. */
export const ReleasePlace = z.strictObject(RELEASE_NAMES)
export type ReleasePlace = z.infer<typeof ReleasePlace>

export const ReleaseListInput = z.strictObject({
  app: AppRef.optional(),
  channel: ChannelName.optional(),
  status: ReleaseStatus.optional(),
  /** Part of a version or of the notes. */
  search: z.string().max(200).optional(),
  page: z.int().min(1).default(1),
  perPage: z.int().min(1).max(100).default(50),
})

export const ReleaseListItem = Release.pick({
  app: true,
  channel: true,
  version: true,
  status: true,
  rolloutPct: true,
  offered: true,
  createdAt: true,
}).extend({
  targeted: z.boolean(),
  artifacts: z.int(),
  /** Known devices that run it. */
  devices: z.int(),
})
export type ReleaseListItem = z.infer<typeof ReleaseListItem>

export const ReleaseListPage = z.strictObject({
  releases: z.array(ReleaseListItem),
  page: z.int(),
  pageCount: z.int(),
  total: z.int(),
})

export const ReleaseDetail = z.strictObject({
  release: Release,
  /** Known devices that run it, and of those the ones seen in the last 7 days. */
  devices: z.int(),
  seenLast7Days: z.int(),
  /** Of the known devices, most first. They add up to `devices`. */
  platforms: z.array(PlatformDevices),
  /** True while the app is archived, so that none of its releases is served. */
  archived: z.boolean(),
  /** Whether it is paused until it is proven. */
  awaitsProof: z.boolean(),
  /** Whether the channel requires approval. */
  requiresApproval: z.boolean(),
  /** The revision of the release, never newer than what is shown of it. */
  lastChange: ChangeId,
  /** The stop of it that the caller can undo; null without one. */
  undoableStop: ChangeId.nullable(),
  /** Grows with every change of the channel and of all its releases: with it, previews become outdated. */
  channelRevision: z.int(),
  /** Newest first. */
  history: z.array(HistoryEntry),
})
export type ReleaseDetail = z.infer<typeof ReleaseDetail>

/** What an artifact costs a device to download. */
const ArtifactDownload = z.strictObject({
  /** Bytes of the file; 0 if it is not known. */
  size: z.int(),
  /**
   * Bytes of the blocks that an app with electron-updater does not have from `from`; null unless the server has stored both
   * files and has their block maps by now.
   */
  changed: z.int().nullable(),
})

/** What a release costs devices to download. */
export const ReleaseDownloads = z.strictObject({
  /** The version before; null if there is none. */
  from: Version.nullable(),
  /** In the order of the artifacts. */
  artifacts: z.array(ArtifactDownload),
})
export type ReleaseDownloads = z.infer<typeof ReleaseDownloads>

/** Devices that had failed on a release by the end of a UTC day, which `at` begins; oldest first, none before its first offer. */
export const DailyFailures = z.array(z.strictObject({ at: Timestamp, failed: z.int() }))
export type DailyFailures = z.infer<typeof DailyFailures>

/** A release of an app that is known from the context. */
export const ReleaseOnChannel = ReleasePlace.omit({ app: true })
export type ReleaseOnChannel = z.infer<typeof ReleaseOnChannel>

/** Maximum number of releases to choose from at once. */
export const MAX_RELEASE_CHOICES = 50

/** Finds releases of an app whose channel or version has every word of `search`. */
export const ReleaseChoicesInput = z.strictObject({ app: AppRef, search: z.string().max(200) })

/** Latest first, at most `MAX_RELEASE_CHOICES`. */
export const ReleaseChoices = z.array(
  ReleaseOnChannel.extend({ status: ReleaseStatus, createdAt: Timestamp }),
)
export type ReleaseChoices = z.infer<typeof ReleaseChoices>

export const CompareInput = z.strictObject({
  app: AppRef,
  from: ReleaseOnChannel,
  to: ReleaseOnChannel,
})
export type CompareInput = z.infer<typeof CompareInput>

/** A release beside another one. */
export const ComparedRelease = z.strictObject({
  release: Release,
  /** Known devices that run it. */
  devices: z.int(),
})
export type ComparedRelease = z.infer<typeof ComparedRelease>

export const ReleaseComparison = z.strictObject({
  /** Null if it does not exist. */
  from: ComparedRelease.nullable(),
  to: ComparedRelease,
})
export type ReleaseComparison = z.infer<typeof ReleaseComparison>

export const ServingChangeInput = ReleasePlace.extend({
  targets: Targets.optional(),
  rolloutPct: RolloutPct.optional(),
  status: ReleaseStatus.optional(),
})
export type ServingChangeInput = z.infer<typeof ServingChangeInput>

/** A release that is about to be published, without what no decision depends on. */
export const PublishPreviewInput = PublishBody.omit({ notes: true, documents: true })
export type PublishPreviewInput = z.infer<typeof PublishPreviewInput>

export const ApplyServingInput = ServingChangeInput.extend({
  app: AppRefOrId,
  /** The `lastChange` that the change was decided on. */
  seenChange: ChangeId.optional(),
})
export type ApplyServingInput = z.infer<typeof ApplyServingInput>

/** `stop`: what the caller can undo; null for a release that somebody else had paused, and where resuming requires approval. */
export const StoppedRelease = z.strictObject({ stop: ChangeId.nullable() })
export type StoppedRelease = z.infer<typeof StoppedRelease>

export const UndoStopInput = ReleasePlace.extend({ stop: ChangeId })

/** Why a release was stopped. */
export const ExplainStopInput = ReleasePlace.extend({ reason: Comment.min(1) })

/** `size`: what a manifest says; 0 if it says nothing. */
export const MeasureInput = z.strictObject({
  app: AppRef,
  ...Artifact.pick({ url: true, size: true }).shape,
})
export type MeasureInput = z.infer<typeof MeasureInput>

/** How far the download of a file is, in bytes of how many (0 if that is unknown), and last what it is or why it is not known. */
export const MeasureEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('progress'), read: z.int(), total: z.int() }),
  z.strictObject({ type: z.literal('measured'), size: z.int(), sha512: z.string() }),
  z.strictObject({ type: z.literal('failed'), failure: ProofFailure }),
])
export type MeasureEvent = z.infer<typeof MeasureEvent>
