import { z } from 'zod'
import { DeviceId } from './names.ts'
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
