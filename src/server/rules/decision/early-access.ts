import type { EarlyAccess, EarlyAccessBy } from '../../../shared/releases/channel.ts'
import type { DeviceFacts } from './device.ts'
import { type CompiledTargets, compileTargets, matches } from './targets.ts'

/** An early access list prepared for deciding. */
export interface CompiledEarlyAccess {
  readonly deviceIds: ReadonlySet<string>
  readonly targets: readonly CompiledTargets[]
  /** False if no label of a device can change whether it is on the list. */
  readonly readsLabels: boolean
}

/** Prepares a list for deciding; `null` if it is empty. Throws a RangeError for targets that were not validated. */
export function compileEarlyAccess(list: EarlyAccess): CompiledEarlyAccess | null {
  const targets = list.targets.map(compileTargets).filter((each) => each !== null)
  if (list.deviceIds.length === 0 && targets.length === 0) return null
  return {
    deviceIds: new Set(list.deviceIds),
    targets,
    readsLabels: targets.some(({ readsLabels }) => readsLabels),
  }
}

/** Returns how a device is on a list; `null` if it is not, as every device without an ID: it is in no cohort. */
export function earlyAccessOf(
  list: CompiledEarlyAccess | null,
  device: DeviceFacts,
): EarlyAccessBy | null {
  if (list === null || device.deviceId === null) return null
  if (list.deviceIds.has(device.deviceId)) return 'device_id'
  for (const targets of list.targets) if (matches(targets, device)) return 'targets'
  return null
}
