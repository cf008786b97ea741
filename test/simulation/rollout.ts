import type { CountedHealth } from '../../src/server/fleet/health/release-counts.ts'
import type { Arms } from '../../src/server/rules/judging/control.ts'
import type { Activity } from '../../src/server/rules/judging/counted.ts'
import type { PlanVerdict } from '../../src/server/use-cases/plans/plan-runner.ts'
import type { Cells } from './counted-release.ts'
import { FAULTS, type Fault } from './device.ts'
import { drawFleet } from './fleet.ts'
import { WEEK } from './habits.ts'
import { PLANS, type Plan } from './plans.ts'
import { Chance } from './random.ts'
import { type Invented, World } from './world.ts'

/** Hours, at most: before the first release, and from it to the second. */
const BEFORE = 3 * WEEK
const BETWEEN = 3 * WEEK
/** Hours for which the second is watched. */
export const WATCHED = 2 * WEEK

/** What a judge sees of a release at one time, and what it does not. */
export interface Look {
  /** Hours since the release was published. */
  readonly age: number
  readonly rolloutPct: number
  /** Of all devices, as if a key vouched for them. */
  readonly observed: CountedHealth
  /** Also by network and weight. */
  readonly weighed: CountedHealth
  readonly cells: Cells
  readonly previous: CountedHealth
  readonly activity: Activity | null
  /** Null if all devices are offered the release. */
  readonly arms: Arms | null
  readonly armsByNetwork: Arms | null
  /** Returns the same with other counts of the release, and with invented devices beside it. */
  counted(cells: Cells, invented: Invented): Look
}

/** What a judge says of a plan: `waits` for no more than the next step. */
export type Judge = (look: Look) => PlanVerdict | 'waits'

/** What keeps devices from the server, from 12 hours after the release on. */
export const INTERRUPTIONS = { holiday: 72, power_cut: 60 } as const
export type Interruption = keyof typeof INTERRUPTIONS
export const INTERRUPTION_NAMES = [
  'holiday',
  'power_cut',
] as const satisfies readonly Interruption[]
const INTERRUPTED_AFTER = 12

/** What differs from the usual: the size of the fleet, for how long and how often it is looked at, in hours. */
export interface Watched {
  readonly devices?: number
  readonly hours?: number
  readonly lookEvery?: number
  readonly interruption?: Interruption | undefined
  /** Of both releases; drawn without one. */
  readonly plan?: Plan | undefined
}

/** What breaks in a release: one thing, or a mixture. */
export type Breaks = Fault | 'mixture'

export const BREAKS = [...FAULTS, 'mixture'] as const satisfies readonly Breaks[]

/** Returns what breaks in the release of a seed. */
export function breaksOf(seed: number): Breaks {
  return BREAKS[seed % BREAKS.length] ?? 'mixture'
}

/** Judges whose plans stand in the same place, and the world that they share until one of them decides otherwise. */
interface Branch {
  readonly world: World
  readonly judges: readonly Judge[]
  /** What they said at the last look. */
  readonly verdict: ReturnType<Judge>
}

/**
 * Simulates a healthy release and then, on the same devices, one that breaks a share (0 to 1) of them and that each judge
 * looks at every hour. Returns the devices that were harmed under each of the judges.
 */
export function simulate(
  seed: number,
  share: number,
  judges: readonly Judge[],
  { devices, hours = WATCHED, lookEvery = 1, interruption, plan: given }: Watched = {},
): readonly number[] {
  const breaks = breaksOf(seed)
  const faults = breaks === 'mixture' ? FAULTS : [breaks]
  const chance = new Chance(seed)
  const drawn = drawFleet(chance, BEFORE + BETWEEN + WATCHED)
  const fleet = devices === undefined ? drawn : { ...drawn, devices }
  const world = World.of(fleet, BEFORE + BETWEEN + WATCHED, chance)
  const drawnPlan = chance.oneOf(PLANS)
  const plan = given ?? drawnPlan
  // The two begin at any hour of any day, and not always with the same plan.
  world.run(BEFORE - Math.floor(chance.between(0, WEEK)))
  world.publish({ share: 0, faults }, chance.is(0.7) ? plan : chance.oneOf(PLANS))
  world.run(BETWEEN - Math.floor(chance.between(0, WEEK)))
  const previous = lookAt(world).weighed
  world.publish({ share, faults }, plan)
  if (interruption !== undefined) {
    const to = INTERRUPTED_AFTER + INTERRUPTIONS[interruption]
    world.interrupt(interruption, INTERRUPTED_AFTER, to)
  }
  const harmed = new Map<Judge, number>()
  let branches: readonly Branch[] = [{ world, judges, verdict: 'fine' }]
  for (let hour = 1; hour <= hours; hour += 1) {
    for (const branch of branches) branch.world.pass()
    if (hour % lookEvery === 0) {
      branches = branches.flatMap((branch) => branched(branch, previous, harmed))
    }
    for (const { world, verdict } of branches) {
      if (verdict === 'fine') world.goOn()
      else if (verdict === 'suspected') world.hold()
    }
  }
  for (const { world, judges } of branches) {
    for (const judge of judges) harmed.set(judge, world.harmed)
  }
  return judges.map((judge) => harmed.get(judge) ?? 0)
}

/** Asks the judges: those that stop the plan are done, and the others share a world if they say the same. */
function branched(
  { world, judges }: Branch,
  previous: CountedHealth,
  harmed: Map<Judge, number>,
): readonly Branch[] {
  const look = lookAt(world, previous)
  const said = Map.groupBy(judges, (judge) => judge(look))
  for (const judge of said.get('stopped') ?? []) harmed.set(judge, world.harmed)
  said.delete('stopped')
  return [...said].map(([verdict, judges], index) => {
    return { world: index === said.size - 1 ? world : world.fork(), judges, verdict }
  })
}

function lookAt(world: World, previous?: CountedHealth): Look {
  const { age, rolloutPct, cells } = world
  const look = (weighed: () => Cells, observed: () => CountedHealth, invented?: Invented): Look => {
    const seen = once(observed)
    const all = once(weighed)
    const health = once(() => world.observed(all()))
    const arms = once(() => ({ some: world.isOpen ? null : world.arms(false, invented) }))
    const byNetwork = once(() => ({ some: world.isOpen ? null : world.arms(true, invented) }))
    return {
      ...{ age, rolloutPct },
      get arms() {
        return arms().some
      },
      get armsByNetwork() {
        return byNetwork().some
      },
      get observed() {
        return seen()
      },
      get weighed() {
        return health()
      },
      get cells() {
        return all()
      },
      get previous() {
        return previous ?? seen()
      },
      get activity() {
        return this.observed.health.silent === 0 ? null : world.activity()
      },
      counted: (others, invented) =>
        look(
          () => others,
          () => world.observed(others),
          invented,
        ),
    }
  }
  return look(
    () => new Map([...cells.all, ...cells.weighed]),
    () => world.observed(),
  )
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
