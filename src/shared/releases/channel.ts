import { z } from 'zod'
import { ChangeId } from '../events/audit.ts'
import { ProvingPolicy, SignatureFormat } from '../files/proof.ts'
import { AppRef, AppRefOrId, ChannelName, DeviceId, Timestamp, Version } from '../names.ts'
import { AcceptedFindings, PreflightPolicy } from './preflight-policy.ts'
import { excessOf, isEveryDevice, Targets } from './targets.ts'

/** Maximum device IDs, and maximum targets, of an early access list. */
export const MAX_EARLY_DEVICES = 256
export const MAX_EARLY_TARGETS = 16

const SomeDevices = Targets.refine((targets) => !isEveryDevice(targets), {
  message: 'must have a condition, or it would match all devices',
})

/**
 * The early access list of a channel: a device is on it if its ID is, or if it matches any of the targets. It is in
 * every rollout above 0%. All targets together have the limits of those of one release.
 */
export const EarlyAccess = z.strictObject({
  deviceIds: z
    .array(DeviceId)
    .max(MAX_EARLY_DEVICES, `must hold at most ${MAX_EARLY_DEVICES} device IDs`),
  targets: z
    .array(SomeDevices)
    .max(MAX_EARLY_TARGETS, `must hold at most ${MAX_EARLY_TARGETS} targets`)
    .check((context) => {
      const message = excessOf(context.value)
      if (message === undefined) return
      context.issues.push({ code: 'custom', input: context.value, message })
    }),
})
export type EarlyAccess = z.infer<typeof EarlyAccess>

/** The list of a new channel. */
export const NO_EARLY_ACCESS: EarlyAccess = { deviceIds: [], targets: [] }

/** How a device is on the list: by its ID, or by targets that it matches. */
export const EarlyAccessBy = z.enum(['device_id', 'targets'])
export type EarlyAccessBy = z.infer<typeof EarlyAccessBy>

export const UpdateMode = z.enum(['optional', 'required'])
export type UpdateMode = z.infer<typeof UpdateMode>

/** What a device on a rolled-back version is pointed at first. */
export const RollbackPolicy = z.enum(['downgrade', 'roll-forward'])

/** The rules of a channel that every decision on it follows. */
export const ChannelPolicy = z.strictObject({
  updateMode: UpdateMode,
  minimumSupportedVersion: Version,
  rollback: RollbackPolicy,
  /** Whether more devices are offered a release only after a second person has approved it. */
  requireApproval: z.boolean(),
  /** What is done to prove the artifacts of its releases. */
  proving: ProvingPolicy,
  /** The formats of signatures that count as proven unchecked although the app has a minisign key. */
  uncheckedSignatures: z.array(SignatureFormat).max(SignatureFormat.options.length),
  /** The devices that are in every rollout above 0%. */
  earlyAccess: EarlyAccess,
  /** Whether a check that a person asked for is in every rollout above 0%. */
  manualChecks: z.boolean(),
  /** Whether devices that anyone can have invented count toward the stops and gates of plans. */
  countNewDevices: z.boolean(),
  /** Whether a release has to pass preflight before devices are offered it. */
  preflight: PreflightPolicy,
  /** Findings of preflight that do not count on the channel. */
  acceptedFindings: AcceptedFindings,
})
export type ChannelPolicy = z.infer<typeof ChannelPolicy>

/** A channel as it is shown. */
export const ShownChannel = z
  .strictObject({
    app: AppRef,
    channel: ChannelName,
    policy: ChannelPolicy,
    createdAt: Timestamp,
    /** The revision of the policy, never newer than `policy`. */
    lastChange: ChangeId,
  })
  .meta({ id: 'Channel' })
export type ShownChannel = z.infer<typeof ShownChannel>

export const ChannelAnswer = z.strictObject({ channel: ShownChannel }).meta({ id: 'ChannelAnswer' })

/** Body of a change of a channel: at least one of `earlyAccess`, `manualChecks`. */
export const ChannelBody = z
  .strictObject({
    app: AppRefOrId,
    channel: ChannelName,
    earlyAccess: EarlyAccess.optional(),
    manualChecks: z.boolean().optional(),
    seenChange: ChangeId.optional().meta({
      description: 'The `lastChange` that the change was decided on: refused if another came since',
    }),
  })
  .refine(
    ({ earlyAccess, manualChecks }) => earlyAccess !== undefined || manualChecks !== undefined,
    'give at least one of earlyAccess and manualChecks',
  )
  .meta({
    id: 'ChannelBody',
    anyOf: [{ required: ['earlyAccess'] }, { required: ['manualChecks'] }],
  })

/** The policy of a new channel. */
export const DEFAULT_POLICY: ChannelPolicy = {
  updateMode: 'optional',
  minimumSupportedVersion: '0.0.0',
  rollback: 'downgrade',
  requireApproval: false,
  proving: 'off',
  uncheckedSignatures: [],
  earlyAccess: NO_EARLY_ACCESS,
  manualChecks: false,
  countNewDevices: false,
  preflight: 'off',
  acceptedFindings: [],
}

/** The channel that every new app has. */
export const DEFAULT_CHANNEL = 'stable'
