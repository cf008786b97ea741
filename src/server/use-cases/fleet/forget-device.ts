import type { Catalog } from '../../catalog/catalog.ts'
import { requestErasure } from '../../catalog/erasure.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { DeviceName } from '../../fleet/facts.ts'
import { findApp, type Principal } from '../principal.ts'
import type { FindDevice } from './explain-device.ts'

export interface ForgetParts {
  readonly catalog: Catalog
  readonly findDevice: FindDevice
  /** Carries out what was requested, and resolves once none of the device's data is stored. */
  readonly carryOutErasure: (name: DeviceName) => Promise<void>
}

/**
 * Forgets a device, also of an archived app, and resolves once none of its data is stored. Needs the role
 * `administrator`. Throws `unknown` (app, device) and `forbidden`.
 */
export async function forgetDevice(
  { catalog, findDevice, carryOutErasure }: ForgetParts,
  principal: Principal,
  { app: named, deviceId }: { readonly app: string; readonly deviceId: string },
): Promise<{ readonly ref: string }> {
  const { record } = findApp(await catalog.refresh(), principal, named, 'administrator')
  if ((await findDevice(record.key, deviceId)) === undefined) {
    throw new Refusal({ code: 'unknown_device', app: record.ref, deviceId })
  }
  await requestErasure(catalog, principal.actor, record, deviceId)
  await carryOutErasure({ appKey: record.key, deviceId })
  return { ref: record.ref }
}
