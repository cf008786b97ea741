import type { DeviceName } from '../../../../fleet/facts.ts'

/** Values by the names of devices, without a text made of both parts for each look. */
export class ByDevice<Value> {
  readonly #apps = new Map<number, Map<string, Value>>()

  get(appKey: number, deviceId: string): Value | undefined {
    return this.#apps.get(appKey)?.get(deviceId)
  }

  set(appKey: number, deviceId: string, value: Value): void {
    const app = this.#apps.get(appKey)
    if (app === undefined) this.#apps.set(appKey, new Map([[deviceId, value]]))
    else app.set(deviceId, value)
  }
}

/** The order in which every node locks devices. */
export function byName(one: DeviceName, other: DeviceName): number {
  if (one.appKey !== other.appKey) return one.appKey - other.appKey
  if (one.deviceId === other.deviceId) return 0
  return one.deviceId < other.deviceId ? -1 : 1
}
