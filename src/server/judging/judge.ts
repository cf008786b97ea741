import { judgedOf } from '../../shared/health.ts'
import type { StopReason } from '../../shared/judgement.ts'
import type { Plan } from '../../shared/plan.ts'
import { type Activity, type Counted, countedOf, type Observed, observedSince } from './counted.ts'
import { wilsonInterval, Z95, Z99 } from './interval.ts'

/** What a release is judged by: what counts of it (`judge-weighed.ts`). */
export interface Evidence {
  readonly observed: Observed
  /** What was observed when a person resumed the release after it was stopped; null if nobody did. */
  readonly accepted: Observed | null
  /** The previous release of the channel; null without one to compare with. */
  readonly previous: Observed | null
  /** null: not known. */
  readonly activity: Activity | null
  readonly limits: Pick<Plan, 'maxFailedPct' | 'minSample'>
}

/** The judgement of one look at a release. */
export type Judgement =
  | { readonly verdict: 'fine' }
  | { readonly verdict: 'not_enough' }
  | { readonly verdict: 'stop'; readonly reasons: readonly StopReason[] }

/** Failures below which nothing is stopped: so few are often chance. */
export const LEAST_FAILED = 5
/** Devices up to which the interval is wider, for the same reason. */
const SMALL_SAMPLE = 100
/** The largest share of devices that is taken for usual: a channel on which most are stuck is no example. */
const MAX_USUAL = 0.5
/** How far above the previous release failures are, at least, to be far worse: 1 point, and twice. */
const LEAST_DIFFERENCE = 0.01
const LEAST_RATIO = 2

/** How certain a judgement has to be. */
export interface Demands {
  /** Devices below which nothing is judged: `minSample` of the plan if it is undefined. */
  readonly sample?: number
  readonly failed: number
  /** The interval of that many devices. */
  readonly confidence: (judged: number) => number
}

const TO_STOP: Demands = {
  failed: LEAST_FAILED,
  confidence: (judged) => (judged < SMALL_SAMPLE ? Z99 : Z95),
}
/** Of a part of the devices that shows too many failures as well: with 95% confidence, they are no chance there either. */
export const TO_CONFIRM: Demands = { sample: 0, failed: 2, confidence: () => Z95 }

/** Judges a release by what became of the devices that were offered it. Pure: docs/automatic-stop.md has the rules. */
export function judge(
  { observed, accepted, previous, activity, limits }: Evidence,
  demands: Demands = TO_STOP,
): Judgement {
  const since = observedSince(observed, accepted)
  const counted = countedOf(since.health, activity)
  const judged = counted.adopted + counted.stuck + counted.broken
  if (judged < (demands.sample ?? limits.minSample)) return { verdict: 'not_enough' }
  const known = previous !== null && judgedOf(previous.health) >= limits.minSample ? previous : null
  const usual = known === null ? since.slow / Math.max(1, judged) : everStuckShare(known)
  const reasons = [
    tooManyFailures({ ...counted, stuck: 0 }, 0, limits, demands) ??
      tooManyFailures(counted, Math.min(MAX_USUAL, usual), limits, demands),
    known && worseThanPrevious(counted, known),
  ].filter((reason) => reason !== null)
  return reasons.length === 0 ? { verdict: 'fine' } : { verdict: 'stop', reasons }
}

/** People postpone installing, so some devices are stuck for a time at every release. */
function everStuckShare({ health, recovered }: Observed): number {
  return (health.stuck + recovered) / judgedOf(health)
}

function tooManyFailures(
  { adopted, stuck, broken }: Counted,
  usual: number,
  { maxFailedPct }: Evidence['limits'],
  demands: Demands,
): StopReason | null {
  const failed = stuck + broken
  const judged = adopted + failed
  const { low } = wilsonInterval(failed, judged, demands.confidence(judged))
  const limit = maxFailedPct / 100 + usual
  if (failed < demands.failed || low <= limit) return null
  const shares = { failedPct: percent(low), limitPct: percent(limit), usualPct: percent(usual) }
  return { code: 'too_many_failures', ...whole({ failed, judged, stuck }), ...shares }
}

function worseThanPrevious({ adopted, stuck, broken }: Counted, previous: Observed) {
  const judged = adopted + stuck + broken
  const { reverted, reported, silent } = previous.health
  const [previousBroken, previousJudged] = [reverted + reported + silent, judgedOf(previous.health)]
  if (broken < LEAST_FAILED) return null
  const [share, before] = [broken / judged, previousBroken / previousJudged]
  if (share - before < LEAST_DIFFERENCE || share < LEAST_RATIO * before) return null
  const { high } = wilsonInterval(previousBroken, previousJudged, Z99)
  if (wilsonInterval(broken, judged, Z99).low <= high) return null
  const shares = { failedPct: percent(share), previousPct: percent(before) }
  const devices = whole({ failed: broken, judged, previousJudged })
  return { code: 'worse_than_previous' as const, ...devices, ...shares } satisfies StopReason
}

/** Devices of a network that counts in proportion are not whole. */
function whole<Name extends string>(devices: Record<Name, number>): Record<Name, number> {
  const rounded = { ...devices }
  for (const name of Object.keys(devices) as Name[]) rounded[name] = Math.round(devices[name])
  return rounded
}

/** To a hundredth of a percent. */
function percent(share: number): number {
  return Math.round(Math.min(1, share) * 10_000) / 100
}
