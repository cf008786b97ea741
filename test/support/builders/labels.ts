import type { LabelDelta } from '../../../src/server/fleet/labels.ts'
import type { LabelMap } from '../../../src/shared/names.ts'

/** The change that sets these labels. */
export function setting(set: LabelMap): LabelDelta {
  return { set, remove: [] }
}
