import type { DeviceName } from '../../../fleet/facts.ts'
import type { DeviceListSource } from '../device-list/source.ts'

/**
 * Returns the reader of `DeviceViews.devicesBeginning`. It looks into the index of device ids once for each app
 * and prefix, until it has enough.
 */
export function createDeviceSearch(source: Pick<DeviceListSource, 'walk'>) {
  return (appKeys: readonly number[], prefixes: readonly string[], limit: number): DeviceName[] => {
    const found: DeviceName[] = []
    for (const appKey of appKeys) {
      for (const prefix of prefixes) {
        const left = limit - found.length
        if (left === 0) return found
        const ids = source.walk(appKey, prefix, undefined, false, left)
        found.push(...ids.map(([, deviceId]) => ({ appKey, deviceId })))
      }
    }
    return found
  }
}
