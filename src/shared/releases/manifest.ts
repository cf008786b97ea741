import { z } from 'zod'
import { Timestamp, Version } from '../names.ts'
import { UpdateMode } from './channel.ts'

/**
 * The update that a device is offered: exactly these ten members. A member `name` or `platforms`
 * would break the Tauri updater, which reads them as `version` and as a second artifact table.
 */
export const UpdateManifest = z
  .strictObject({
    version: Version,
    notes: z.string(),
    pub_date: Timestamp,
    url: z.url(),
    sha512: z.string(),
    signature: z.string(),
    size: z.int(),
    updateMode: UpdateMode,
    minimumSupportedVersion: Version,
    allowDowngrade: z.boolean(),
  })
  .meta({ id: 'UpdateManifest' })
export type UpdateManifest = z.infer<typeof UpdateManifest>

/** Why a device is, or is not, offered a release. */
export const DecisionReason = z.enum([
  'update',
  'rollback',
  'up_to_date',
  'no_release',
  'not_targeted',
  'outside_cohort',
  'no_artifact',
  'system_too_old',
])
export type DecisionReason = z.infer<typeof DecisionReason>
