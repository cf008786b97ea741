import type {
  CheckIn,
  DeviceLabelDelta,
  DeviceReport,
  OutcomeReport,
} from '../../../../fleet/check-in.ts'
import type { LabelDelta } from '../../../../fleet/labels.ts'

/** A fact that waits to be stored. */
export type Fact =
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
