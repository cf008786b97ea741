import type { DevicePlace } from '../../../shared/console/devices.ts'
import { requestErasure } from '../../catalog/erasure.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ConsoleContext } from '../context.ts'
import { findApp } from '../lookup.ts'

/** Forgets a device, also of an archived app, and resolves once none of its data is stored. Throws `unknown`. */
export async function forgetDevice(
  { catalog, fleet, erasures, actor }: ConsoleContext,
  place: DevicePlace,
): Promise<DevicePlace> {
  const { record } = findApp(await catalog.refresh(), place.app)
  if (fleet.profileOf(record.key, place.deviceId) === undefined) {
    throw new Refusal('unknown', `unknown device "${place.deviceId}" of app "${place.app}"`)
  }
  await requestErasure(catalog, actor, record, place.deviceId)
  await erasures.carryOut()
  return place
}
