import { z } from 'zod'
import { Version } from './names.ts'

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
})
export type ChannelPolicy = z.infer<typeof ChannelPolicy>

/** The policy of a new channel. */
export const DEFAULT_POLICY: ChannelPolicy = {
  updateMode: 'optional',
  minimumSupportedVersion: '0.0.0',
  rollback: 'downgrade',
  requireApproval: false,
}

/** The channel that every new app has. */
export const DEFAULT_CHANNEL = 'stable'
