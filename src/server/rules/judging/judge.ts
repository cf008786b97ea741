import { EXCLUDED, type Interval, SUSPECTED } from '../../../shared/health/always-valid.ts'
import { failedOf, judgedOf, type ReleaseHealth } from '../../../shared/health/health.ts'
import {
  failedShare,
  type MeasuredFailures,
  type StopReason,
  toPercent,
} from '../../../shared/health/judgement.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import { type Control, LEAST_CONTROL } from './control.ts'
import {
  type AcceptedObserved,
  type Activity,
  countedOf,
  type Observed,
  observedSince,
} from './counted.ts'
import {
  evidenceOf,
  type FailureTest,
  failureTests,
  usualTest,
  validEvidenceOf,
} from './failure-tests.ts'

/** Quantile of the normal distribution: how many standard deviations an interval of 95% confidence reaches. */
export const Z95 = 1.959964

/** Returns the Wilson score interval of a share at the confidence of `z`; 0 to 1 for an empty sample (E. B. Wilson, 1927). */
export function wilsonInterval(count: number, sample: number, z: number): Interval {
  if (sample <= 0) return { low: 0, high: 1 }
  const share = count / sample
  const square = z * z
  const center = share + square / (2 * sample)
  const spread = z * Math.sqrt((share * (1 - share)) / sample + square / (4 * sample * sample))
  const scale = 1 + square / sample
  return {
    low: Math.max(0, (center - spread) / scale),
    high: Math.min(1, (center + spread) / scale),
  }
}

/** What a release is judged by: what counts of it (`judge-weighed.ts`). */
export interface Evidence {
  readonly observed: Observed
  /** What was observed when a person resumed the release after it was stopped; null if nobody did. */
  readonly accepted: AcceptedObserved | null
  /** The previous release of the channel; null without one to compare with. */
  readonly previous: Observed | null
  /** What happens meanwhile to devices that are not offered the release; null if that is not known. */
  readonly control: Control | null
  /** Explains silence where there is no control; null: not known. */
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
/** Evidence from which more devices fail than `farAbove` what is usual: chance reaches it once in ten times at most. */
const FAR_WORSE = 10
/** The largest share of devices that is taken for usual: a channel on which most are stuck is no example. */
const MAX_USUAL = 0.5

/** How certain a judgement has to be. */
export interface Demands {
  /** Devices below which nothing is judged: `minSample` of the plan if it is undefined. */
  readonly sample?: number
  /** Failures below which nothing is found. */
  readonly failed: number
  /** Whether devices that are silent soon count as failed. */
  readonly isEarly: boolean
  /** `usual`: null if nothing says what is usual. */
  readonly isExceeded: (tests: readonly FailureTest[], usual: FailureTest | null) => boolean
}

/** All tests share one budget of errors: a mean of e-values is an e-value. */
export const TO_STOP: Demands = {
  ...{ failed: LEAST_FAILED, isEarly: false },
  isExceeded: (tests) =>
    tests.reduce((sum, test) => sum + test.weight * validEvidenceOf(test), 0) >= EXCLUDED,
}
/** For new offers and the next step to wait until it is clear. */
export const TO_SUSPECT: Demands = {
  ...{ failed: 2, isEarly: true },
  isExceeded: (tests, usual) =>
    tests.some((test) => evidenceOf(test) >= SUSPECTED) ||
    (usual !== null && usual.failed >= LEAST_FAILED && evidenceOf(usual) >= FAR_WORSE),
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
  const { known, previous, compared } = lookAt(evidence)
  const judged = known.adopted + known.stuck + known.broken + known.silent
  if (judged < (demands.sample ?? evidence.limits.minSample)) return { verdict: 'not_enough' }
  const usual = usualTest(known, compared.control, previous && brokenShare(previous))
  const exceeds = ({ failed, isEarly, isExceeded }: Demands) => {
    const counted = isEarly ? { ...known, silent: known.silent + known.late } : known
    if (counted.broken + counted.silent + counted.stuck < failed) return false
    return isExceeded(failureTests(counted, compared), usual)
  }
  if (exceeds(demands)) {
    return { verdict: 'stop', reasons: [{ code: 'too_many_failures', ...measure(evidence) }] }
  }
  return { verdict: demands === TO_STOP && exceeds(TO_SUSPECT) ? 'suspected' : 'fine' }
}

/** Returns the failures that show most clearly against the limit, whatever the judgement. */
export function measure(evidence: Evidence): MeasuredFailures {
  const { known, previous, compared } = lookAt(evidence)
  const { control } = compared
  const clearest = failureTests(known, compared).reduce((one, other) =>
    evidenceOf(other) > evidenceOf(one) ? other : one,
  )
  const { failed, judged, stuck, usual, limit, beside } = clearest
  const { lowPct, highPct, ...counts } = failedShare(failed, judged)
  // Without stuck devices nothing is usual.
  const left = usual === 0 ? (previous?.health.stuck ?? 0) : 0
  return {
    ...{ ...counts, stuck: Math.round(stuck), failedPct: lowPct, highPct },
    ...{ limitPct: toPercent(limit), usualPct: toPercent(usual) },
    ...(control !== null && {
      control: failedShare(beside?.failed ?? control.reverted, control.devices),
    }),
    ...(previous !== null && {
      previous: failedShare(failedOf(previous.health) - left, judgedOf(previous.health) - left),
    }),
  }
}

function lookAt({ observed, accepted, limits, ...evidence }: Evidence) {
  const since = observedSince(observed, accepted)
  const previous = knownOf(evidence.previous, limits.minSample)
  const control = controlOf(evidence.control)
  const usual = usualShare(since, previous)
  // A control shows what a holiday explains.
  const known = countedOf(since, control === null ? evidence.activity : null)
  return {
    known: { ...known, silent: Math.min(known.silent, control?.offeredSilent ?? known.silent) },
    previous,
    compared: { limit: limits.maxFailedPct / 100, usual, control },
  }
}

/** Too few devices show nothing. */
function controlOf(control: Control | null): Control | null {
  return control !== null && control.devices >= LEAST_CONTROL ? control : null
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

/** Returns what gates look at: of the stuck devices, as many wait as are usual, and those that are silent soon are silent. */
export function gatedHealth(observed: Observed, previous: Observed | null): ReleaseHealth {
  const { health, late } = observed
  const usual = usualShare(observed, knownOf(previous, LEAST_SAMPLE)) * judgedOf(health)
  const waits = Math.min(health.stuck, usual)
  return {
    ...{ ...health, stuck: health.stuck - waits, silent: health.silent + late },
    waiting: health.waiting + waits - late,
  }
}

function brokenShare({ health }: Observed): number {
  return (failedOf(health) - health.stuck) / judgedOf(health)
}
