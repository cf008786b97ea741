import type { Plan } from '../../../shared/plans/plan.ts'
import { PLAN_PRESETS, type PlanPreset, presetPlan } from '../../../shared/plans/plan-presets.ts'
import { hoursToFindGone, type SeenDevices } from './gone.ts'

/** Hours in which it is to be found that a release silences a quarter of its devices. */
const SOON = 72
/** So many times as long as foreseen it takes in the simulation, where devices install late and offers wait early. */
const LATER = 1.7

/** Returns the first preset with a step that finds within three days that a release silences a quarter of its devices; null if none does. */
export function recommendedPreset(seen: SeenDevices): PlanPreset | null {
  return PLAN_PRESETS.find((preset) => findsSilence(presetPlan(preset, 'UTC'), seen)) ?? null
}

/** Whether a step of a plan that begins now finds that in time, and before the next one. */
export function findsSilence(plan: Plan, seen: SeenDevices): boolean {
  let begins = 0
  return plan.steps.some((step) => {
    const foreseen = 'ring' in step ? null : hoursToFindGone(step.rolloutPct / 100, seen, plan)
    const hours = LATER * (foreseen ?? Number.POSITIVE_INFINITY)
    const isFound = hours <= step.soakHours && begins + hours <= SOON
    begins += step.soakHours
    return isFound
  })
}
