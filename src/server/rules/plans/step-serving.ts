import type { Plan, PlanStep } from '../../../shared/plans/plan.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { Targets } from '../../../shared/releases/targets.ts'
import type { Serving } from '../decision/broadening.ts'
import { narrowing } from '../decision/narrowing.ts'

/** The label whose values are the rings of a plan. */
export const RING_LABEL = 'ring'

/** How a release is served from a step on. */
export type StepServing = Pick<Serving, 'targets' | 'rolloutPct'>

/** What of a plan says whom it reaches. */
type PlannedSteps = Pick<Plan, 'steps' | 'holdoutPct'>

/** Returns how a release is served from a step on. `own`: its targets, which a step with a ring narrows to the rings so far. */
export function stepServing(plan: PlannedSteps, own: Targets, index: number): StepServing {
  const steps = allSteps(plan)
  const rolloutPct = percentageFrom(steps, index)
  const rings = ringsAt(steps, index)
  if (rings === null) return { targets: own, rolloutPct }
  const matchLabels = { ...own.matchLabels, [RING_LABEL]: rings }
  return { targets: { ...own, matchLabels }, rolloutPct }
}

/** Returns the percentage of the first step from `index` on that has one; 100 if none has. */
export function percentageFrom(steps: readonly PlanStep[], index: number): number {
  return steps.slice(index).find(isRollout)?.rolloutPct ?? 100
}

/** Returns the rings that are offered the release from a step on; null for a step with a percentage. */
export function ringsAt(steps: readonly PlanStep[], index: number): string[] | null {
  const step = steps[index]
  if (step === undefined || isRollout(step)) return null
  const rings = steps.slice(0, index + 1).flatMap((each) => (isRollout(each) ? [] : each.ring))
  return [...new Set(rings)]
}

/** Returns the percentage that a plan had reached before the last of `applied` steps; 0 before the first one without a ring. */
export function percentageBefore(plan: PlannedSteps, applied: number): number {
  const before = allSteps(plan)[applied - 2]
  return before !== undefined && isRollout(before) ? before.rolloutPct : 0
}

/** Returns the first step from `from` on that offers the release to more devices than it is served to. */
export function firstBroader(
  plan: PlannedSteps,
  own: Targets,
  { targets, rolloutPct }: StepServing,
  from = 0,
): number {
  const steps = allSteps(plan)
  const index = steps.findIndex((_, at) => {
    if (at < from) return false
    const step = stepServing(plan, own, at)
    return step.rolloutPct > rolloutPct || narrowing(step.targets, targets) !== undefined
  })
  return index === -1 ? steps.length : index
}

function isRollout(step: PlanStep): step is Extract<PlanStep, { rolloutPct: number }> {
  return 'rolloutPct' in step
}

const HOUR = 3_600_000
/** Hours for which a suspected release is offered to nobody new: most of what is in flight is known by then. */
const STILL = 3 * 24
/** Hours after that in which the rest of the step is offered. */
const PACE = 7 * 24

/**
 * Returns the percentage that a suspected release is offered to within its step (0 to 100): nobody new for three days, and then
 * a little more every hour, because a fleet without new devices would never tell. Null once all of the step is offered.
 * `from` and `to`: the percentages of the step before and of this one. Times are Unix time in milliseconds.
 */
export function heldOffers(
  from: number,
  to: number,
  suspectedSince: number,
  now: number,
): number | null {
  const hours = Math.max(0, Math.floor((now - suspectedSince) / HOUR) - STILL)
  return hours >= PACE ? null : from + ((to - from) * hours) / PACE
}
