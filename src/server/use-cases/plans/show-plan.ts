import type { PlanForecast } from '../../../shared/console/releases/plans.ts'
import type { ReleaseHealth } from '../../../shared/health/health.ts'
import type { Freeze } from '../../../shared/plans/freeze.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import type { PlanNext, PlanState } from '../../../shared/plans/plan-state.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { Targets } from '../../../shared/releases/targets.ts'
import { progressOf } from '../../catalog/plans/advance-plan.ts'
import type { PlanRecord } from '../../catalog/plans/plan-record.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { forecast, nextStep, type PlanProgress } from '../../rules/plans/next-step.ts'
import { ringsAt, stepServing } from '../../rules/plans/step-serving.ts'

export interface PlanView {
  readonly freezes: readonly Freeze[]
  readonly health: ReleaseHealth
  /** Unix time in milliseconds. */
  readonly now: number
}

/** Returns a plan as people see it. */
export function showPlan(
  record: PlanRecord,
  release: Pick<ReleaseRecord, 'awaitsProof'>,
  view: PlanView,
): PlanState {
  const { plan, status, reason, since, step, appliedAt, openPct, stopReasons, readings } = record
  const next = status === 'running' ? nextOf(record, release, view) : null
  const reasons = stopReasons && [...stopReasons]
  const shown = { plan, status, reason, since, step, appliedAt, next, openPct }
  return { ...shown, stopReasons: reasons, readings: readings && [...readings] }
}

function nextOf(
  record: PlanRecord,
  release: Pick<ReleaseRecord, 'awaitsProof'>,
  { freezes, health, now }: PlanView,
): PlanNext {
  // Nothing is applied until it is clear whether the release fails on too many devices.
  if (record.suspectedSince !== null) return { waitsFor: 'failures', at: null }
  const next = nextStep(record.plan, progressOf(record, release), health, freezes, now)
  if (next.kind !== 'wait') return { waitsFor: null, at: iso(now) }
  return { waitsFor: next.for, at: next.until === null ? null : iso(next.until) }
}

/** Returns a plan laid over the calendar, from where it stands. `own`: the targets of the release without rings. */
export function showForecast(
  plan: Plan,
  own: Targets,
  progress: Pick<PlanProgress, 'step' | 'soakSince'>,
  { freezes, now }: Pick<PlanView, 'freezes' | 'now'>,
): PlanForecast {
  const { steps, finished } = forecast(plan, progress, freezes, now)
  return {
    steps: steps.map((at, index) => {
      const step = progress.step + index
      const { rolloutPct } = stepServing(plan, own, step)
      return {
        step,
        rolloutPct,
        rings: ringsAt(allSteps(plan), step),
        at: at === null ? null : iso(at),
      }
    }),
    finished: finished === null ? null : iso(finished),
  }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
