import type { CountedHealth } from '../../src/server/fleet/health/release-counts.ts'
import type { Activity } from '../../src/server/judging/counted.ts'
import type { PlanVerdict } from '../../src/server/use-cases/plans/plan-runner.ts'
import type { Cells } from './counted-release.ts'
import { FAULTS, type Fault } from './device.ts'
import { drawFleet } from './fleet.ts'
import { WEEK } from './habits.ts'
import { PLANS } from './plans.ts'
import { Chance } from './random.ts'
import { World } from './world.ts'

/** Hours, at most: before the first release, from it to the second, and after that. */
const BEFORE = 3 * WEEK
const BETWEEN = 3 * WEEK
const WATCHED = 2 * WEEK

/** What the judge sees of a release at one time, and what it does not. */
export interface Look {
  /** Hours since the release was published. */
  readonly age: number
  readonly rolloutPct: number
  readonly observed: CountedHealth
  readonly cells: Cells
  readonly previous: CountedHealth
  readonly activity: Activity | null
  /** Devices that were offered a release that breaks them, so far. */
  readonly harmed: number
  /** Returns the same with other counts of the release. */
  counted(cells: Cells): Look
}

/** What differs from the usual: the size of the fleet, and for how long and how often it is looked at, in hours. */
export interface Watched {
  /** Whether nothing is counted by network and weight, which takes less time. */
  readonly areAlike?: boolean
  readonly devices?: number
  readonly hours?: number
  readonly lookEvery?: number
}

/** What breaks in a release: one thing, or a mixture. */
export type Breaks = Fault | 'mixture'

/** Returns what breaks in the release of a seed. */
export function breaksOf(seed: number): Breaks {
  const kinds = [...FAULTS, 'mixture'] as const
  return kinds[seed % kinds.length] ?? 'mixture'
}

/**
 * Simulates a healthy release and then, on the same devices, one that breaks a share (0 to 1) of them. `onLook` judges every
 * hour of the second. Returns the devices that it harmed.
 */
export function simulate(
  seed: number,
  share: number,
  onLook: (look: Look) => PlanVerdict,
  { devices, areAlike = false, hours = WATCHED, lookEvery = 1 }: Watched = {},
): number {
  const breaks = breaksOf(seed)
  const faults = breaks === 'mixture' ? FAULTS : [breaks]
  const chance = new Chance(seed)
  const drawn = drawFleet(chance, BEFORE + BETWEEN + WATCHED)
  const fleet = devices === undefined ? drawn : { ...drawn, devices }
  const world = new World(fleet, BEFORE + BETWEEN + WATCHED, chance, areAlike)
  const plan = chance.oneOf(PLANS)
  // The two begin at any hour of any day, and not always with the same plan.
  world.run(BEFORE - Math.floor(chance.between(0, WEEK)))
  world.publish({ share: 0, faults }, chance.is(0.7) ? plan : chance.oneOf(PLANS))
  world.run(BETWEEN - Math.floor(chance.between(0, WEEK)))
  const previous = world.observed()
  world.publish({ share, faults }, plan)
  let verdict: PlanVerdict = 'fine'
  world.run(hours, () => {
    const { age, rolloutPct, harmed, cells } = world
    if (age % lookEvery !== 0) return verdict
    const look: Look = {
      ...{ age, rolloutPct, harmed, cells, observed: world.observed(), previous },
      get activity() {
        return this.observed.health.silent === 0 ? null : world.activity()
      },
      counted: (others) => ({ ...look, cells: others, observed: world.observed(others) }),
    }
    verdict = onLook(look)
    return verdict
  })
  return world.harmed
}
