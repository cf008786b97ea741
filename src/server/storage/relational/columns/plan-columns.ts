import type { PlanOfRelease, PlanRecord } from '../../../catalog/plans/plan-record.ts'
import { type Columns, replaceIn } from './columns.ts'

/** What a column holds in another form: objects as JSON, a flag as a number. */
interface Encoded {
  readonly plan: string
  readonly targets: string
  readonly approved: 0 | 1
  readonly stopReasons: string | null
  readonly accepted: string | null
}

/** A plan as its table holds it. */
export type PlanRow = Omit<PlanRecord, keyof Encoded> & Encoded
export type PlanOfReleaseRow = Omit<PlanOfRelease, keyof Encoded> & Encoded

export const PLAN = {
  releaseId: 'release_id',
  plan: 'plan',
  targets: 'targets',
  status: 'status',
  reason: 'reason',
  since: 'since',
  step: 'step',
  appliedAt: 'applied_at',
  soakSince: 'soak_since',
  approved: 'approved',
  stopReasons: 'stop_reasons',
  accepted: 'accepted',
  suspectedSince: 'suspected_since',
  revision: 'revision',
} as const satisfies Columns<PlanRow>

export const PUT_PLAN = replaceIn('plans', PLAN, 'release_id')

/** Returns the plan that a row holds. */
export function toPlan<Row extends PlanRow>(
  row: Row,
): Omit<Row, keyof Encoded> & Pick<PlanRecord, keyof Encoded> {
  const { plan, targets, approved, stopReasons, accepted, ...plain } = row
  return {
    ...plain,
    plan: JSON.parse(plan),
    targets: JSON.parse(targets),
    approved: approved === 1,
    stopReasons: stopReasons === null ? null : JSON.parse(stopReasons),
    accepted: accepted === null ? null : JSON.parse(accepted),
  }
}

/** Returns what `PUT_PLAN` takes for a plan. */
export function planParameters(record: PlanRecord): PlanRow {
  const { plan, targets, approved, stopReasons, accepted, ...plain } = record
  return {
    ...plain,
    plan: JSON.stringify(plan),
    targets: JSON.stringify(targets),
    approved: approved ? 1 : 0,
    stopReasons: stopReasons && JSON.stringify(stopReasons),
    accepted: accepted && JSON.stringify(accepted),
  }
}
