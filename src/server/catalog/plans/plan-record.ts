import { uuidv7 } from 'uuidv7'
import type { StopReason } from '../../../shared/health/judgement.ts'
import type { CheckReading } from '../../../shared/plans/gate-check.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import type { PlanReason, PlanStatus } from '../../../shared/plans/plan-state.ts'
import type { Targets } from '../../../shared/releases/targets.ts'
import type { AcceptedObserved } from '../../rules/judging/counted.ts'

/** The plan of a release. Times are ISO 8601, UTC. */
export interface PlanRecord {
  readonly releaseId: string
  readonly plan: Plan
  /** Those of the release without the rings of the plan. */
  readonly targets: Targets
  readonly status: PlanStatus
  /** Why it is suspended or stopped; null otherwise. */
  readonly reason: PlanReason | null
  /** Since when it has that status. */
  readonly since: string
  /** Steps applied so far. */
  readonly step: number
  readonly appliedAt: string | null
  /** Since when the last step soaks; null before the first. */
  readonly soakSince: string | null
  /** Whether its steps may be applied where approval is required. */
  readonly approved: boolean
  /** Why it was stopped by failures; null otherwise. */
  readonly stopReasons: readonly StopReason[] | null
  /** What was observed when a person let the release go on after that: it does not count again. */
  readonly accepted: AcceptedObserved | null
  /** Since when every look at the release has suspected that it fails; null if the last one did not, or the plan does not run. */
  readonly suspectedSince: string | null
  /** See `ReleaseFacts.openPct`. */
  readonly openPct: number | null
  /** What the checks of the gate found last, since the plan has this revision; null if they were not asked. */
  readonly readings: readonly CheckReading[] | null
  /** Another one after every change: two states of a plan never share one. */
  readonly revision: string
}

/** A plan, and the release that it belongs to. */
export interface PlanOfRelease extends PlanRecord {
  readonly channelKey: number
  readonly version: string
}

/** Returns a changed plan with a revision of its own. Suspicion, held offers and gate readings end unless the change keeps them. */
export function changedPlan(
  plan: PlanRecord,
  change: Partial<Omit<PlanRecord, 'releaseId' | 'revision'>>,
): PlanRecord {
  return {
    ...plan,
    suspectedSince: null,
    openPct: null,
    readings: null,
    ...change,
    revision: uuidv7(),
  }
}
