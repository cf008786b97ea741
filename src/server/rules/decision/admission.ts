import type { Admission } from '../../../shared/devices/explanation.ts'
import type { CompiledChannel } from './channel.ts'
import type { DeviceFacts } from './device.ts'
import { earlyAccessOf } from './early-access.ts'

/**
 * Returns what lets a device into a rollout of `rolloutPct` percent that its bucket is not in; `null` if nothing does.
 * At 0% nothing does.
 */
export function admissionTo(
  { earlyAccess, policy }: CompiledChannel,
  rolloutPct: number,
  device: DeviceFacts,
): Admission | null {
  if (rolloutPct <= 0) return null
  if (earlyAccessOf(earlyAccess, device) !== null) return 'early_access'
  return device.manual && policy.manualChecks ? 'manual_check' : null
}
