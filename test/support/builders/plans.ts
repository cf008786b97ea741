import type { z } from 'zod'
import { NO_TALLIES } from '../../../src/server/rules/judging/judge-weighed.ts'
import type { WeighedTallies } from '../../../src/server/rules/judging/tallies.ts'
import type { ReleaseHealth } from '../../../src/shared/health/health.ts'
import { Freeze } from '../../../src/shared/plans/freeze.ts'
import { Plan, type PlanStep } from '../../../src/shared/plans/plan.ts'

/** A plan that raises the rollout; each step soaks for that many hours. By default, three steps of a day each. */
export function rolloutPlan(
  steps: readonly (readonly [rolloutPct: number, soakHours: number])[] = [
    [10, 24],
    [50, 24],
    [100, 24],
  ],
  members: Omit<Partial<z.input<typeof Plan>>, 'steps'> = {},
): Plan {
  return planOf(
    steps.map(([rolloutPct, soakHours]) => ({ rolloutPct, soakHours })),
    members,
  )
}

/** A plan with defaults for everything that is left out. */
export function planOf(
  steps: readonly PlanStep[],
  members: Omit<Partial<z.input<typeof Plan>>, 'steps'> = {},
): Plan {
  return Plan.parse({ ...members, steps })
}

export function freeze(firstDay: string, lastDay: string, timeZone = 'UTC'): Freeze {
  return Freeze.parse({ firstDay, lastDay, timeZone })
}

/** A release whose devices a key vouches for, all of them. */
export function keyedTallies(health: ReleaseHealth): WeighedTallies {
  return { ...NO_TALLIES, keyed: { health, recovered: 0, slow: 0, late: 0, networks: [] } }
}
