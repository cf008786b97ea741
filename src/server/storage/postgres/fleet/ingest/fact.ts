import type {
  CheckIn,
  DeviceLabelDelta,
  DeviceReport,
  OutcomeReport,
} from '../../../../fleet/check-in.ts'
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
