import { EXCLUDED, evidenceAbove, SUSPECTED } from '../../../shared/health/always-valid.ts'
import { failedOf, judgedOf, type ReleaseHealth } from '../../../shared/health/health.ts'
import {
  failedShare,
  type MeasuredFailures,
  type StopReason,
  toPercent,
} from '../../../shared/health/judgement.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import {
  type AcceptedObserved,
  type Activity,
  type Counted,
  countedOf,
  type Observed,
  observedSince,
} from './counted.ts'
import { wilsonInterval, Z95 } from './interval.ts'

/** What a release is judged by: what counts of it (`judge-weighed.ts`). */
export interface Evidence {
  readonly observed: Observed
  /** What was observed when a person resumed the release after it was stopped; null if nobody did. */
  readonly accepted: AcceptedObserved | null
  /** The previous release of the channel; null without one to compare with. */
  readonly previous: Observed | null
  /** null: not known. */
  readonly activity: Activity | null
  readonly limits: Pick<Plan, 'maxFailedPct' | 'minSample'>
}

/** The judgement of one look at a release. With `suspected`, it may fail too often, and the next looks will tell. */
export type Judgement =
  | { readonly verdict: 'fine' }
  | { readonly verdict: 'not_enough' }
  | { readonly verdict: 'suspected' }
  | { readonly verdict: 'stop'; readonly reasons: readonly StopReason[] }

/** Failures below which nothing is stopped: so few may be one desk. */
export const LEAST_FAILED = 5
/** Devices from which the previous release shows what is usual to a gate. */
const LEAST_SAMPLE = 20
/** Evidence from which more devices fail than `farAbove` the previous release: chance reaches it once in ten times at most. */
const FAR_WORSE = 10
/** The largest share of devices that is taken for usual: a channel on which most are stuck is no example. */
const MAX_USUAL = 0.5
/** Failures, and the share (0 to 1) of the devices that may fail. */
interface Test {
  readonly failed: number
  readonly judged: number
  /** Of the failed. */
  readonly stuck: number
  readonly usual: number
  readonly limit: number
}

/** How certain a judgement has to be. */
export interface Demands {
  /** Devices below which nothing is judged: `minSample` of the plan if it is undefined. */
  readonly sample?: number
  /** Failures below which nothing is found. */
  readonly failed: number
  /** Whether devices that are silent soon count as failed. */
  readonly isEarly: boolean
  readonly isExceeded: (tests: readonly Test[], beside: Test | null) => boolean
}

/** All tests share one budget of errors: a mean of e-values is an e-value. */
export const TO_STOP: Demands = {
  ...{ failed: LEAST_FAILED, isEarly: false },
  isExceeded: (tests) =>
    tests.reduce((sum, test) => sum + evidenceOf(test), 0) >= EXCLUDED * tests.length,
}
/** For new offers and the next step to wait until it is clear. */
export const TO_SUSPECT: Demands = {
  ...{ failed: 2, isEarly: true },
  isExceeded: (tests, beside) =>
    tests.some((test) => evidenceOf(test) >= SUSPECTED) ||
    (beside !== null && beside.failed >= LEAST_FAILED && evidenceOf(beside) >= FAR_WORSE),
}
/** Of a part of the devices that shows too many failures as well: with 95% confidence, they are no chance there either. */
export const TO_CONFIRM: Demands = {
  ...{ sample: 0, failed: 2, isEarly: false },
  isExceeded: (tests) =>
    tests.some(
      ({ failed, judged, limit }) => failed >= 2 && wilsonInterval(failed, judged, Z95).low > limit,
    ),
}

/** Judges a release by what became of the devices that were offered it. Pure: docs/automatic-stop.md has the rules. */
export function judge(evidence: Evidence, demands: Demands = TO_STOP): Judgement {
  const { known, previous, testsOf } = lookAt(evidence)
  const judged = known.adopted + known.stuck + known.broken
  if (judged < (demands.sample ?? evidence.limits.minSample)) return { verdict: 'not_enough' }
  const beside = previous && testOf({ ...known, stuck: 0 }, 0, farAbove(previous))
  const exceeds = ({ failed, isEarly, isExceeded }: Demands) => {
    const counted = isEarly ? { ...known, broken: known.broken + known.late } : known
    return counted.broken + counted.stuck >= failed && isExceeded(testsOf(counted), beside)
  }
  if (exceeds(demands)) {
    const clearest = clearestOf(testsOf(known), previous)
    return { verdict: 'stop', reasons: [{ code: 'too_many_failures', ...clearest }] }
  }
  return { verdict: demands === TO_STOP && exceeds(TO_SUSPECT) ? 'suspected' : 'fine' }
}

/** Returns the failures that show most clearly against the limit, whatever the judgement. */
export function measure(evidence: Evidence): MeasuredFailures {
  const { known, previous, testsOf } = lookAt(evidence)
  return clearestOf(testsOf(known), previous)
}

function lookAt({ observed, accepted, activity, limits, ...evidence }: Evidence) {
  const since = observedSince(observed, accepted)
  const previous = knownOf(evidence.previous, limits.minSample)
  const usual = usualShare(since, previous)
  const limit = limits.maxFailedPct / 100
  const testsOf = (counted: Counted) => [
    testOf({ ...counted, stuck: 0 }, 0, limit),
    testOf(counted, usual, limit),
  ]
  return { known: countedOf(since, activity), previous, testsOf }
}

/** Returns the previous release if enough of its devices are known to compare with. */
function knownOf(previous: Observed | null, minSample: number): Observed | null {
  return previous !== null && judgedOf(previous.health) >= minSample ? previous : null
}

/**
 * Returns the share (0 to 1) of devices that are stuck for a time at every release, because people postpone installing: that
 * of the previous release, or else of those that adopted this one slowly.
 */
function usualShare({ health, slow }: Observed, previous: Observed | null): number {
  const share =
    previous === null
      ? slow / Math.max(1, judgedOf(health))
      : (previous.health.stuck + previous.recovered) / judgedOf(previous.health)
  return Math.min(MAX_USUAL, share)
}

/** Returns the share above which failures are far above those of the previous release: twice as many, and a point more. */
function farAbove({ health }: Observed): number {
  const share = (failedOf(health) - health.stuck) / judgedOf(health)
  return Math.max(2 * share, share + 0.01)
}

/** Returns what gates look at: of the stuck devices, as many wait as are usual. */
export function gatedHealth(observed: Observed, previous: Observed | null): ReleaseHealth {
  const { health } = observed
  const usual = usualShare(observed, knownOf(previous, LEAST_SAMPLE)) * judgedOf(health)
  const waits = Math.min(health.stuck, usual)
  return { ...health, stuck: health.stuck - waits, waiting: health.waiting + waits }
}

function testOf({ adopted, stuck, broken }: Counted, usual: number, limit: number): Test {
  const failed = stuck + broken
  return { failed, judged: adopted + failed, stuck, usual, limit: Math.min(1, limit + usual) }
}

function evidenceOf({ failed, judged, limit }: Test): number {
  return evidenceAbove(failed, judged, limit)
}

function clearestOf(tests: readonly Test[], previous: Observed | null): MeasuredFailures {
  const { failed, judged, stuck, usual, limit } = tests.reduce((one, other) =>
    evidenceOf(other) > evidenceOf(one) ? other : one,
  )
  const { lowPct, highPct, ...counts } = failedShare(failed, judged)
  // Without stuck devices nothing is usual.
  const left = usual === 0 ? (previous?.health.stuck ?? 0) : 0
  return {
    ...{ ...counts, stuck: Math.round(stuck), failedPct: lowPct, highPct },
    ...{ limitPct: toPercent(limit), usualPct: toPercent(usual) },
    ...(previous !== null && {
      previous: failedShare(failedOf(previous.health) - left, judgedOf(previous.health) - left),
    }),
  }
}
