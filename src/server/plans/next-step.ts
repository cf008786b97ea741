import type { Freeze } from '../../shared/freeze.ts'
import type { CheckReading } from '../../shared/gate-check.ts'
import type { ReleaseHealth } from '../../shared/health.ts'
import type { Plan, PlanWait } from '../../shared/plan.ts'
import { gateConditions } from '../../shared/plan-gate.ts'
import { allSteps } from '../../shared/plan-steps.ts'
import { nextOpening } from './calendar.ts'
import { checksHold } from './gate-checks.ts'

const HOUR = 3_600_000

/** Where a running plan stands. Times are Unix time in milliseconds. */
export interface PlanProgress {
  /** Steps applied so far. */
  readonly step: number
  /** Since when the last of them soaks; null before the first. */
  readonly soakSince: number | null
  /** Whether the release is paused until it is proven. */
  readonly awaitsProof: boolean
  /** What the checks of the last step's gate found; null if they were not asked. */
  readonly readings: readonly CheckReading[] | null
}

/** What a plan does now. */
export type NextStep =
  /** The step of that index is due. */
  | { readonly kind: 'apply'; readonly step: number }
  /** `until`: when its step is applied, or the plan finished, at the earliest; null if that depends on others. */
  | { readonly kind: 'wait'; readonly for: PlanWait; readonly until: number | null }
  | { readonly kind: 'finished' }

/**
 * Returns what a running plan does at `now`. One step is due at a time, and only after the step before has soaked, its
 * gate holds, a window is open and no freeze holds. The plan is finished when its last step has soaked.
 */
export function nextStep(
  plan: Plan,
  { step, soakSince, awaitsProof, readings }: PlanProgress,
  health: ReleaseHealth,
  freezes: readonly Freeze[],
  now: number,
): NextStep {
  const steps = allSteps(plan)
  const last = step === 0 ? undefined : steps[step - 1]
  const isComplete = step >= steps.length
  if (awaitsProof && !isComplete) return { kind: 'wait', for: 'proof', until: null }
  const soaked = last === undefined ? now : (soakSince ?? now) + last.soakHours * HOUR
  if (now < soaked) {
    const until = isComplete ? soaked : nextOpening(plan, freezes, soaked).at
    return { kind: 'wait', for: 'soak', until }
  }
  if (isComplete) return { kind: 'finished' }
  const gate = last?.gate ?? {}
  const isCounted = gateConditions(gate, health, plan.minSample).every(({ isMet }) => isMet)
  if (!isCounted || !checksHold(gate, readings, now)) {
    return { kind: 'wait', for: 'gate', until: null }
  }
  const { at, closedBy } = nextOpening(plan, freezes, now)
  if (closedBy === null) return { kind: 'apply', step }
  return { kind: 'wait', for: closedBy, until: at }
}
