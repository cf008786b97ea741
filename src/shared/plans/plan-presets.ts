import { z } from 'zod'
import { Plan } from './plan.ts'

/** The plans that people choose by name. */
export const PlanPreset = z.enum(['one-day', 'cautious-week', 'three-days', 'my-machine-first'])
export type PlanPreset = z.infer<typeof PlanPreset>
export const PLAN_PRESETS = PlanPreset.options

/** Returns whether a text names a preset. */
export function isPlanPreset(name: string): name is PlanPreset {
  return PLAN_PRESETS.some((preset) => preset === name)
}

/**
 * Returns the plan of a preset. `timeZone`: that of its windows.
 *
 * - `my-machine-first`: the ring `me`, the ring `testers`, 10%, 50%, everyone
 * - `one-day`: everyone a day after the first 5%
 * - `cautious-week`: from 5% to everyone in seven days or more, on workdays only
 * - `three-days`: everyone three days after the first 25%
 */
export function presetPlan(preset: PlanPreset, timeZone: string): Plan {
  return Plan.parse({ ...PRESETS[preset], timeZone })
}

const percents = (...steps: readonly (readonly [rolloutPct: number, soakHours: number])[]) =>
  steps.map(([rolloutPct, soakHours]) => ({ rolloutPct, soakHours }))

const PRESETS: Readonly<Record<PlanPreset, z.input<typeof Plan>>> = {
  'one-day': { steps: percents([5, 6], [25, 8], [50, 10], [100, 24]) },
  'cautious-week': {
    steps: percents([5, 72], [25, 48], [50, 48], [100, 48]),
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '16:00' }],
  },
  'three-days': { steps: percents([25, 72], [100, 24]) },
  'my-machine-first': {
    steps: [
      { ring: ['me'], soakHours: 4 },
      { ring: ['testers'], soakHours: 24 },
      ...percents([10, 24], [50, 24], [100, 24]),
    ],
  },
}
