import {
  gatedHealth,
  judge,
  LEAST_FAILED,
  wilsonInterval,
  Z95,
} from '../../src/server/rules/judging/judge.ts'
import { evidenceAbove, SUSPECTED } from '../../src/shared/health/always-valid.ts'
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
  const chance = new Chance(seed)
  const plan = new RunningPlan(PLAN, 0)
  let [now, adopted, failed, waiting, failing, offered] = [0, 0, 0, 0, 0, 0]
  let isHeld = false
  /** Of the devices, those in the percentages of the plan: which ones is settled ahead, as cohorts are. */
  const sizes = cohortSizes(chance, devices)
  const health = () => {
    const known = { adopted, reported: failed, waiting: waiting + failing }
    return { ...NO_HEALTH, ...known, offered: adopted + failed + waiting + failing }
  }
  const seen = () => ({ health: health(), recovered: 0, slow: 0, late: 0 })
  const verdict = () => {
    const judged = adopted + failed
    if (watch === 'before') {
      if (failed < LEAST_FAILED || judged < LIMITS.minSample) return 'fine'
      return wilsonInterval(failed, judged, Z95).low > LIMITS.maxFailedPct / 100 ? 'stop' : 'fine'
    }
    // All tests are this one, because nothing is silent or stuck: most looks are done here.
    if (evidenceAbove(failed, judged, LIMITS.maxFailedPct / 100) < SUSPECTED) return 'fine'
    const beside = { accepted: null, previous: null, control: null, activity: null }
    return judge({ observed: seen(), ...beside, limits: LIMITS }).verdict
  }
  const opens = () => {
    if (watch !== 'gates' || now < plan.dueAt) return true
    const gate = { maxFailedPct: LIMITS.maxFailedPct }
    const gated = gatedHealth(seen(), null)
    return gateConditions(gate, gated).every(({ isMet }) => isMet)
  }
  while (now < WATCHED) {
    const open = Math.max(0, sizes(plan.offeredPct) - offered)
    const [checks, outcomes] = [open / CHECKS, (waiting + failing) / KNOWN]
    const after = now + chance.exponential(1 / (checks + outcomes))
    const look = isHeld ? Math.floor(now) + 1 : plan.dueAt > now ? plan.dueAt : WATCHED
    now = Math.min(after, look, WATCHED)
    if (now < after) {
      if (isHeld) plan.hold(now)
      else if (opens()) plan.advance(now)
      continue
    }
    if (chance.is(checks / (checks + outcomes))) {
      offered += 1
      if (chance.is(share)) failing += 1
      else waiting += 1
      continue
    }
    if (chance.is(failing / (waiting + failing))) {
      failing -= 1
      failed += 1
    } else {
      waiting -= 1
      adopted += 1
    }
    const found = verdict()
    const harmed = failed + failing
    if (found === 'stop') return { stoppedAt: now, isHeld: false, reached: plan.rolloutPct, harmed }
    isHeld = found === 'suspected'
    if (isHeld) plan.hold(now)
    else if (opens()) plan.advance(now)
  }
  return { stoppedAt: null, isHeld, reached: plan.rolloutPct, harmed: failed + failing }
}

/** Returns how many devices are in a percentage of the rollout: drawn for the steps, and evenly between them. */
function cohortSizes(chance: Chance, devices: number): (percent: number) => number {
  const counts = PLAN.map(() => 0)
  for (let device = 0; device < devices; device += 1) {
    const at = 100 * chance.share()
    const step = PLAN.findIndex(([percent]) => at < percent)
    counts[step] = (counts[step] ?? 0) + 1
  }
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
