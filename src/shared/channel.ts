import { z } from 'zod'
import { EarlyAccess, NO_EARLY_ACCESS } from './early-access.ts'
import { ChangeId } from './history.ts'
import { AppRef, AppRefOrId, ChannelName, Timestamp, Version } from './names.ts'
import { ProvingPolicy, SignatureFormat } from './proof.ts'

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
}

/** The channel that every new app has. */
export const DEFAULT_CHANNEL = 'stable'
