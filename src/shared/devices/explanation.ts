import { z } from 'zod'
import { SignedUpdater, UpdaterClient } from '../files/updater.ts'
import { AppRef, ChannelName, Timestamp, Version } from '../names.ts'
import { EarlyAccessBy, RollbackPolicy, UpdateMode } from '../releases/channel.ts'
import { DecisionReason } from '../releases/manifest.ts'
import { Operator } from '../releases/targets.ts'
import { MAX_NAMED_VALUES } from './counting.ts'

/**
 * The first condition of a release's targets that a device does not meet. `key` is one of
 * `DEVICE_KEYS` or a label.
 */
export const FailedCondition = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('not_set'), key: z.string() }),
  z.strictObject({ code: z.literal('not_a_version'), key: z.string(), value: z.string() }),
  z.strictObject({
    code: z.literal('mismatch'),
    key: z.string(),
    /** What the device has, in the form in which it was compared. */
    value: z.string(),
    operator: Operator,
    /** The first values of the condition, as the release manager wrote them. */
    values: z.array(z.string()).max(MAX_NAMED_VALUES),
    /** Values beyond those. */
    moreValues: z.int(),
  }),
])
export type FailedCondition = z.infer<typeof FailedCondition>

/** What lets a device into a rollout that its bucket is not in. */
export const Admission = z.enum(['early_access', 'manual_check'])
export type Admission = z.infer<typeof Admission>

const Rollout = z.strictObject({
  /** Whole percent, 0 to 100. */
  percent: z.int(),
  /** The device is in the rollout, but new offers wait because the release seems to fail; absent otherwise. */
  waits: z.literal(true).optional(),
  /** The fixed place of the device in the rollout, from 0 to 1; null where everyone is offered it and without a device id. */
  bucket: z.number().nullable(),
  /** Null if the bucket decides. */
  admission: Admission.nullable(),
})

/** What became of one release that was tried for a device, and why. */
export const CandidateTrace = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('offered'), version: Version, rollout: Rollout }),
  z.strictObject({ outcome: z.literal('outside_cohort'), version: Version, rollout: Rollout }),
  z.strictObject({
    outcome: z.literal('not_targeted'),
    version: Version,
    condition: FailedCondition,
  }),
  z.strictObject({
    outcome: z.literal('no_artifact'),
    version: Version,
    /** As the device reported them. */
    platform: z.string(),
    arch: z.string(),
    /** Empty if the device did not name its bundle. */
    bundle: z.string(),
    /** The kinds of bundle that the release has for the platform and arch. */
    kinds: z.array(z.string()),
    /** The updater whose feed has no file of the release; the kinds are empty then. */
    client: UpdaterClient.optional(),
  }),
  z.strictObject({
    outcome: z.literal('system_too_old'),
    version: Version,
    /** As the device reported it. */
    platform: z.string(),
    /** The oldest operating system that the file runs on, and what the device runs, as they were written. */
    floor: z.string(),
    system: z.string(),
  }),
  /** The updater orders versions in its own way, and would not install this one. */
  z.strictObject({
    outcome: z.literal('not_taken'),
    version: Version,
    /** What it compares of the release, and of the app. */
    compared: z.string(),
    running: z.string(),
  }),
])
export type CandidateTrace = z.infer<typeof CandidateTrace>

/** What else influenced a decision. */
export const DecisionNote = z.discriminatedUnion('code', [
  /** The version of the device was rolled back. */
  z.strictObject({ code: z.literal('version_rolled_back'), rollback: RollbackPolicy }),
  /** A release was rolled back whose version differs from that of the device in build metadata only. */
  z.strictObject({ code: z.literal('other_build_rolled_back'), version: Version }),
  /** The version of the device is below the minimum supported version of the channel. */
  z.strictObject({ code: z.literal('below_minimum'), minimumSupported: Version }),
  /** Every update on the channel is required. */
  z.strictObject({ code: z.literal('updates_required') }),
  /** A release above the version of the device is not served. */
  z.strictObject({
    code: z.literal('not_served'),
    version: Version,
    status: z.enum(['paused', 'rolled_back']),
  }),
  /** The platform or the arch of the device is unknown, so no artifact matches. */
  z.strictObject({ code: z.literal('unknown_system') }),
  /** What the device says that its operating system is cannot be compared with that which files need. */
  z.strictObject({ code: z.literal('system_unreadable'), system: z.string() }),
  z.strictObject({ code: z.literal('app_archived') }),
  /** Where the device asks with that updater, it gets a document of the offered release that its publisher signed. */
  z.strictObject({
    code: z.literal('signed_document'),
    updater: SignedUpdater,
    name: z.string(),
  }),
  /** The device is on the early access list of the channel. */
  z.strictObject({ code: z.literal('early_access'), by: EarlyAccessBy }),
  /** The plan of a release holds the device back, with so many percent of all. `until`: at the earliest; null unless the plan runs. */
  z.strictObject({
    code: z.literal('held_back'),
    version: Version,
    percent: z.int(),
    until: Timestamp.nullable(),
  }),
  /** A person asked for the check. `allowed`: whether it is in every rollout of the channel above 0%. */
  z.strictObject({ code: z.literal('manual_check'), allowed: z.boolean() }),
])
export type DecisionNote = z.infer<typeof DecisionNote>

/** The decision on a device that runs a version and asks on a channel, and why it was made. */
export const DecisionExplanation = z.strictObject({
  app: AppRef,
  channel: ChannelName,
  /** What the decision was made for. Platform and arch are empty if they are unknown. */
  version: Version,
  platform: z.string(),
  arch: z.string(),
  /** Empty if it is not given. */
  bundle: z.string(),
  reason: DecisionReason,
  offer: z
    .strictObject({ version: Version, updateMode: UpdateMode, allowDowngrade: z.boolean() })
    .nullable(),
  /** Whether the channel has a published release. */
  hasPublished: z.boolean(),
  /** In the order in which they were tried. */
  candidates: z.array(CandidateTrace),
  notes: z.array(DecisionNote),
})
export type DecisionExplanation = z.infer<typeof DecisionExplanation>
