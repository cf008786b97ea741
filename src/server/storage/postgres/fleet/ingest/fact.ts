import type {
  CheckIn,
  DeviceLabelDelta,
  DeviceReport,
  OutcomeReport,
} from '../../../../fleet/check-in.ts'
import type { DeviceName } from '../../../../fleet/facts.ts'
import type { LabelDelta } from '../../../../fleet/labels.ts'

/** What one call reports, which is stored all or nothing. */
export interface Call {
  /** One of its channels is being removed: nothing of it is stored. */
  isRefused: boolean
}

/** A fact that waits to be stored. `call`: that which waits for it. */
export type Fact = { readonly call?: Call } & (
  | {
      readonly kind: 'check_in'
      readonly checkIn: CheckIn
      readonly labels: LabelDelta | undefined
      /** Whether a device that is not known may be added; decided once, with the first attempt to store it. */
      admitted?: boolean
    }
  | { readonly kind: 'report'; readonly report: DeviceReport }
  | { readonly kind: 'outcome'; readonly report: OutcomeReport }
  | { readonly kind: 'labels'; readonly delta: DeviceLabelDelta }
)

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
