import { z } from 'zod'
import { Plan } from './plan.ts'

/** The plans that people choose by name. */
export const PlanPreset = z.enum(['my-machine-first', 'one-day', 'cautious-week', 'three-days'])
export type PlanPreset = z.infer<typeof PlanPreset>
export const PLAN_PRESETS = PlanPreset.options

const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const OFFICE_HOURS = { days: [...WORKDAYS], from: '09:00', to: '16:00' }

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

const PRESETS: Readonly<Record<PlanPreset, z.input<typeof Plan>>> = {
  'my-machine-first': {
    steps: [
      { ring: ['me'], soakHours: 4 },
      { ring: ['testers'], soakHours: 24 },
      { rolloutPct: 10, soakHours: 24 },
      { rolloutPct: 50, soakHours: 24 },
      { rolloutPct: 100, soakHours: 24 },
    ],
  },
  'one-day': {
    steps: [
      { rolloutPct: 5, soakHours: 6 },
      { rolloutPct: 25, soakHours: 8 },
      { rolloutPct: 50, soakHours: 10 },
      { rolloutPct: 100, soakHours: 24 },
    ],
  },
  'cautious-week': {
    steps: [
      { rolloutPct: 5, soakHours: 72 },
      { rolloutPct: 25, soakHours: 48 },
      { rolloutPct: 50, soakHours: 48 },
      { rolloutPct: 100, soakHours: 48 },
    ],
    windows: [OFFICE_HOURS],
  },
  'three-days': {
    steps: [
      { rolloutPct: 25, soakHours: 72 },
      { rolloutPct: 100, soakHours: 24 },
    ],
  },
}
