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
 * Those that fail are known as soon as the others, so the order of failures has nothing to do with time: where none of the devices
 * that can be known by then can change what is offered, the rollout is drawn as it is when the next step is due.
 */
export function lookedAt(seed: number, devices: number, share: number, watch: Watch): Looked {
  const chance = new Chance(seed, true)
  const plan = new RunningPlan(PLAN, 0)
  const { stops, holds } = RULES[watch]
  const failures = new Failures(chance, share)
  /** Of the devices, those in the percentages of the plan: which ones is settled ahead, as cohorts are. */
  const sizes = cohortSizes(chance, devices)
  let [now, judged, failed, pending, isHeld] = [0, 0, 0, 0, false]
  let [reachable, dueAt] = [sizes(plan.offeredPct), plan.dueAt]
  const isQuiet = () => {
    if (judged < LIMITS.minSample) return false
    const most = Math.max(reachable, judged + pending)
    return failures.every(
      failed,
      most,
      (some, at) => some < Math.min(holds.least(at), stops.least(at)),
    )
  }
  let canSkip = isQuiet()
  while (now < WATCHED) {
    const open = Math.max(0, reachable - judged - pending)
    const until = Math.min(dueAt > now ? dueAt : WATCHED, WATCHED)
    if (canSkip) {
      const hours = until - now
      const [unseen, unknown] = [Math.exp(-hours / CHECKS), Math.exp(-hours / KNOWN)]
      const left = chance.count(open, unseen)
      // Of those that checked in, not known: both waits together are longer.
      const longer = (CHECKS * unseen - KNOWN * unknown) / (CHECKS - KNOWN) - unseen
      const waits =
        chance.count(open - left, longer / (1 - unseen)) + chance.count(pending, unknown)
      judged += open - left + pending - waits
      pending = waits
      failed = failures.until(judged)
      now = until
      canSkip = false
    } else {
      const [checks, outcomes] = [open / CHECKS, pending / KNOWN]
      const after = now + chance.exponential(1 / (checks + outcomes))
      now = Math.min(after, isHeld ? Math.floor(now) + 1 : until)
      if (now === after && chance.is(checks / (checks + outcomes))) {
        pending += 1
        continue
      }
      if (now === after) {
        pending -= 1
        judged += 1
        failed = failures.until(judged)
        if (failed >= stops.least(judged)) {
          const harmed = failures.until(judged + pending)
          return { stoppedAt: now, isHeld: false, reached: plan.rolloutPct, harmed }
        }
        const wasHeld = isHeld
        isHeld = failed >= holds.least(judged)
        // Within a step nothing changes while offers go on.
        if (!isHeld && !wasHeld && now < dueAt && judged !== LIMITS.minSample) continue
      }
    }
    const isClosed = watch === 'gates' && now >= dueAt && failed >= STAYS_CLOSED.least(judged)
    if (isHeld) plan.hold(now)
    else if (!isClosed) plan.advance(now)
    ;[reachable, dueAt] = [sizes(plan.offeredPct), plan.dueAt]
    canSkip = !isHeld && !isClosed && isQuiet()
  }
  const harmed = failures.until(judged + pending)
  return { stoppedAt: null, isHeld, reached: plan.rolloutPct, harmed }
}

/** Which of the devices fail, in the order in which they are known: drawn as far as somebody asks. */
class Failures {
  readonly #chance: Chance
  readonly #share: number
  /** Places of those that fail, from 1. */
  readonly #places: number[] = []

  constructor(chance: Chance, share: number) {
    this.#chance = chance
    this.#share = share
  }

  /** Returns how many of the first `devices` fail. Asked for no fewer than before. */
  until(devices: number): number {
    let failed = this.#passed
    while (this.#place(failed) <= devices) failed += 1
    this.#passed = failed
    return failed
  }
  #passed = 0

  /** Whether something is so of every number of failures after `from` of them, at the place of the last, up to that of `devices`. */
  every(from: number, devices: number, isSo: (failed: number, judged: number) => boolean): boolean {
    for (let failed = from; this.#place(failed) <= devices; failed += 1) {
      if (!isSo(failed + 1, this.#place(failed))) return false
    }
    return true
  }

  /** The place of a failure, the first of which is 0. */
  #place(index: number): number {
    if (this.#share === 0) return Number.POSITIVE_INFINITY
    while (this.#places.length <= index) {
      const sound = Math.floor(Math.log(1 - this.#chance.share()) / Math.log1p(-this.#share))
      this.#places.push((this.#places.at(-1) ?? 0) + sound + 1)
    }
    return this.#places[index] ?? 0
  }
}

/** The least number of failures from which something is so, of so many devices: found once for each number, because most looks see the same. */
class LeastFailed {
  readonly #known: number[] = []
  readonly #isSo: (failed: number, judged: number) => boolean

  /** `isSo`: of more failures as well, if it is of some. */
  constructor(isSo: (failed: number, judged: number) => boolean) {
    this.#isSo = isSo
  }

  /** Returns one more than `judged` if it is so of none. */
  least(judged: number): number {
    for (let devices = this.#known.length; devices <= judged; devices += 1) {
      // Close to that of one device less.
      let least = this.#known[devices - 1] ?? 0
      while (least > 0 && this.#isSo(least - 1, devices)) least -= 1
      while (least <= devices && !this.#isSo(least, devices)) least += 1
      this.#known.push(least)
    }
    return this.#known[judged] ?? 0
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
