import type { ReleaseHealth } from '../../../shared/health/health.ts'
import type { Freeze } from '../../../shared/plans/freeze.ts'
import {
  type CheckReading,
  checksOf,
  type GateChecks,
  readingHolds,
} from '../../../shared/plans/gate-check.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import { gateConditions } from '../../../shared/plans/plan-gate.ts'
import type { PlanWait } from '../../../shared/plans/plan-state.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import { nextOpening } from './calendar.ts'

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

export type NextStep =
  /** The step of that index is due. */
  | { readonly kind: 'apply'; readonly step: number }
  /** `until`: when its step is applied, or the plan finished, at the earliest; null if that depends on others. */
  | { readonly kind: 'wait'; readonly for: PlanWait; readonly until: number | null }
  | { readonly kind: 'finished' }

/** Returns what a running plan does at `now`: one step at a time, after soak, gate, window and freezes. */
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
  const isCounted = gateConditions(gate, health).every(({ isMet }) => isMet)
  if (!isCounted || !checksHold(gate, readings, now)) {
    return { kind: 'wait', for: 'gate', until: null }
  }
  const { at, closedBy } = nextOpening(plan, freezes, now)
  if (closedBy === null) return { kind: 'apply', step }
  return { kind: 'wait', for: closedBy, until: at }
}

/** A plan laid over the calendar. Times are Unix time in milliseconds; null for never. */
interface Forecast {
  /** When each step that was not applied yet is applied at the earliest. */
  readonly steps: readonly (number | null)[]
  readonly finished: number | null
}

/** Returns when the steps of a plan are applied if every gate holds as soon as it is asked. */
export function forecast(
  plan: Plan,
  { step, soakSince }: Pick<PlanProgress, 'step' | 'soakSince'>,
  freezes: readonly Freeze[],
  now: number,
): Forecast {
  const all = allSteps(plan)
  const soakOf = (index: number) => (all[index]?.soakHours ?? 0) * HOUR
  let soaked: number | null =
    step === 0 ? now : Math.max(now, (soakSince ?? now) + soakOf(step - 1))
  const steps: (number | null)[] = []
  for (let index = step; index < all.length; index++) {
    const at: number | null = soaked === null ? null : nextOpening(plan, freezes, soaked).at
    steps.push(at)
    soaked = at === null ? null : at + soakOf(index)
  }
  return { steps, finished: soaked }
}

/** Milliseconds for which a reading counts: two more can be late. */
const FRESH = 3 * 60_000

/** Returns whether every check of a gate has a value of these minutes, and each is within its bounds. `now`: Unix time in milliseconds. */
function checksHold(gate: GateChecks, readings: readonly CheckReading[] | null, now: number) {
  return checksOf(gate).every((name) => {
    const reading = readings?.find(({ check }) => check === name)
    if (reading === undefined || Math.abs(now - Date.parse(reading.at)) > FRESH) return false
    return readingHolds(gate, reading)
  })
}
