import type { DeviceName } from '../../../../fleet/facts.ts'
import type { DeviceListSource } from '../device-list/source.ts'

/**
 * Returns the reader of `DeviceViews.devicesBeginning`. It searches the index of device ids app by app until it
 * has enough.
 */
export function createDeviceSearch(source: Pick<DeviceListSource, 'walk'>) {
  return (appKeys: readonly number[], prefix: string, limit: number): DeviceName[] => {
    const found: DeviceName[] = []
    for (const appKey of appKeys) {
      const left = limit - found.length
      if (left === 0) break
      const ids = source.walk(appKey, prefix, undefined, false, left)
      found.push(...ids.map(([, deviceId]) => ({ appKey, deviceId })))
    }
    return found
  }
}
