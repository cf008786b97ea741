import type { Freeze } from '../../shared/freeze.ts'
import type { Plan } from '../../shared/plan.ts'
import { allSteps } from '../../shared/plan-steps.ts'
import { nextOpening } from './calendar.ts'
import type { PlanProgress } from './next-step.ts'

const HOUR = 3_600_000

/** A plan laid over the calendar. Times are Unix time in milliseconds; null for never. */
export interface Forecast {
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
