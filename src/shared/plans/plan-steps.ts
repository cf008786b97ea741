import type { Plan, PlanStep } from './plan.ts'

/** For how long devices are held back, at least: 14 days. */
const HOLDOUT_HOURS = 336

/** A step of a plan as it is applied. */
export type PlannedStep = PlanStep & {
  /** Devices that are held back until the next step, in percent. */
  readonly heldBackPct?: number
}

/**
 * Returns the steps of a plan as they are applied. With a holdout, the last one reaches everyone but the devices that are held
 * back, which are the end of the rollout's own order, and a step more releases them.
 */
export function allSteps({
  steps,
  holdoutPct,
}: Pick<Plan, 'steps' | 'holdoutPct'>): readonly PlannedStep[] {
  const last = steps.at(-1)
  if (holdoutPct === undefined || last === undefined) return steps
  const soakHours = Math.max(last.soakHours, HOLDOUT_HOURS)
  const held = { ...last, rolloutPct: 100 - holdoutPct, soakHours, heldBackPct: holdoutPct }
  return [...steps.slice(0, -1), held, { rolloutPct: 100, soakHours: 0 }]
}

/** Returns how many devices a plan holds back now, in percent; undefined for none. */
export function heldBackNow({
  plan,
  step,
}: {
  readonly plan: Pick<Plan, 'steps' | 'holdoutPct'>
  /** Steps applied so far. */
  readonly step: number
}): number | undefined {
  return allSteps(plan)[step - 1]?.heldBackPct
}
