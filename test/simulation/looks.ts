import {
  gatedHealth,
  judge,
  LEAST_FAILED,
  wilsonInterval,
  Z95,
} from '../../src/server/rules/judging/judge.ts'
import { NO_HEALTH } from '../../src/shared/health/health.ts'
import { gateConditions } from '../../src/shared/plans/plan-gate.ts'
import { LIMITS } from './measure.ts'
import { type Plan, RunningPlan } from './plans.ts'
import { Chance } from './random.ts'

/** Hours: a device checks in that often in the mean, and that long after its offer its outcome is known. */
const CHECKS = 8
const KNOWN = 2
/** Hours for which a rollout is watched. */
const WATCHED = 336
const PLAN: Plan = [
  [10, 24],
  [50, 24],
  [100, 0],
]

/** How a rollout is watched: as shipped, as shipped with a gate of the limit after every step, and by the rules of the versions before. */
export const WATCHES = ['shipped', 'gates', 'before'] as const
export type Watch = (typeof WATCHES)[number]

/** What became of a rollout that was looked at after every event. Times are hours. */
export interface Looked {
  readonly stoppedAt: number | null
  /** Whether offers waited at the end. */
  readonly isHeld: boolean
  /** Percentage that the plan has reached. */
  readonly reached: number
  /** Devices that the release broke until then, and of all devices. */
  readonly harmed: number
}

/**
 * Simulates a rollout to devices that check in and install at times without memory, of which a share (0 to 1) reports a failure.
 * Between two events nothing changes, so a look after each of them sees what looks of every minute, or of any other time, see.
 */
export function lookedAt(seed: number, devices: number, share: number, watch: Watch): Looked {
  const chance = new Chance(seed, true)
  const plan = new RunningPlan(PLAN, 0)
  const { stops, holds } = RULES[watch]
  /** Of the devices, those in the percentages of the plan: which ones is settled ahead, as cohorts are. */
  const sizes = cohortSizes(chance, devices)
  let [now, judged, failed, pending] = [0, 0, 0, 0]
  let [isHeld, reachable, dueAt] = [false, sizes(plan.offeredPct), plan.dueAt]
  const harmed = () => failed + chance.count(pending, share)
  while (now < WATCHED) {
    const checks = Math.max(0, reachable - judged - pending) / CHECKS
    const events = checks + pending / KNOWN
    const after = now + chance.exponential(1 / events)
    const look = isHeld ? Math.floor(now) + 1 : dueAt > now ? dueAt : WATCHED
    now = Math.min(after, look, WATCHED)
    if (now === after && chance.is(checks / events)) {
      pending += 1
      continue
    }
    if (now === after) {
      // Those that fail are known as soon as the others.
      pending -= 1
      judged += 1
      if (chance.is(share)) failed += 1
      if (failed >= stops.least(judged)) {
        const { rolloutPct: reached } = plan
        return { stoppedAt: now, isHeld: false, reached, harmed: harmed() }
      }
      const wasHeld = isHeld
      isHeld = failed >= holds.least(judged)
      // Within a step nothing changes while offers go on.
      if (!isHeld && !wasHeld && now < dueAt) continue
    }
    const isOpen = watch !== 'gates' || now < dueAt || failed < STAYS_CLOSED.least(judged)
    if (isHeld) plan.hold(now)
    else if (isOpen) plan.advance(now)
    reachable = sizes(plan.offeredPct)
    dueAt = plan.dueAt
  }
  return { stoppedAt: null, isHeld, reached: plan.rolloutPct, harmed: harmed() }
}

/** The least number of failures from which something is so, of so many devices: found once for each number, because most looks see the same. */
class LeastFailed {
  readonly #known: number[] = [0]
  readonly #isSo: (failed: number, judged: number) => boolean

  /** `isSo`: of more failures as well, if it is of some. */
  constructor(isSo: (failed: number, judged: number) => boolean) {
    this.#isSo = isSo
  }

  /** Returns one more than `judged` if it is so of none. */
  least(judged: number): number {
    const known = this.#known[judged]
    if (known !== undefined) return known
    // Close to that of one device less.
    let least = this.#known[judged - 1] ?? 0
    while (least > 0 && this.#isSo(least - 1, judged)) least -= 1
    while (least <= judged && !this.#isSo(least, judged)) least += 1
    this.#known[judged] = least
    return least
  }
}

const seen = (failed: number, judged: number) => {
  const health = { ...NO_HEALTH, offered: judged, adopted: judged - failed, reported: failed }
  return { health, recovered: 0, slow: 0, late: 0 }
}
const verdict = (failed: number, judged: number) => {
  const beside = { accepted: null, previous: null, control: null, activity: null }
  return judge({ observed: seen(failed, judged), ...beside, limits: LIMITS }).verdict
}
const wasStopped = (failed: number, judged: number) =>
  failed >= LEAST_FAILED &&
  judged >= LIMITS.minSample &&
  wilsonInterval(failed, judged, Z95).low > LIMITS.maxFailedPct / 100

const SHIPPED = {
  stops: new LeastFailed((failed, judged) => verdict(failed, judged) === 'stop'),
  holds: new LeastFailed((failed, judged) =>
    ['stop', 'suspected'].includes(verdict(failed, judged)),
  ),
}
const RULES = {
  ...{ shipped: SHIPPED, gates: SHIPPED },
  before: { stops: new LeastFailed(wasStopped), holds: new LeastFailed(() => false) },
} as const satisfies Record<Watch, unknown>
const STAYS_CLOSED = new LeastFailed((failed, judged) => {
  const gate = { maxFailedPct: LIMITS.maxFailedPct }
  return gateConditions(gate, gatedHealth(seen(failed, judged), null)).some(({ isMet }) => !isMet)
})

/** Returns how many devices are in a percentage of the rollout: drawn for the steps, and evenly between them. */
function cohortSizes(chance: Chance, devices: number): (percent: number) => number {
  let [left, from] = [devices, 0]
  const counts = PLAN.map(([percent]) => {
    const count = chance.count(left, (percent - from) / (100 - from))
    left -= count
    from = percent
    return count
  })
  let [last, lastSize] = [0, 0]
  return (percent) => {
    if (percent === last) return lastSize
    let [size, below] = [0, 0]
    for (const [index, [to]] of PLAN.entries()) {
      size += (counts[index] ?? 0) * Math.min(1, Math.max(0, (percent - below) / (to - below)))
      below = to
    }
    last = percent
    lastSize = Math.round(size)
    return lastSize
  }
}
