import { ERROR, logFactorial } from '../../../shared/health/always-valid.ts'
import { failedShare, type StopReason, toPercent } from '../../../shared/health/judgement.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import { type Arms, LEAST_CONTROL, type TwoArms } from './control.ts'
import { LEAST_FAILED } from './judge.ts'

/** Hours after which a device that has not been back is gone; its own usual interval, if that is longer. */
const GONE_AFTER = 24
/** Hours between two looks at devices that are gone, of which the first is this long after the first offer. */
const LOOK_EVERY = 6
/** The part of `ERROR` that all of these looks have together. */
const PART = 0.2
/** How the looks share it: half of it is for the first twelve, which are in the first four days. */
const HALF = 12
/** Of the error of a look, what is spent on the share of the control. */
const FOR_CONTROL = 0.25
/** Bisections to a share that is exact to a millionth. */
const BISECTIONS = 20

/** What is seen at one of the looks. */
export interface GoneLook {
  /** From 1. */
  readonly number: number
  readonly arms: Arms
}

/** Returns the number of the look that is due in an hour, from 1, at an `age` in whole hours since the first offer; null if none is. */
export function lookAtAge(age: number): number | null {
  return age < GONE_AFTER || age % LOOK_EVERY > 0 ? null : (age - GONE_AFTER) / LOOK_EVERY + 1
}

/**
 * Returns why a release is stopped for devices that have not been back since they were offered it, if more of these are gone than
 * of the control, and than the limit explains, with all networks and without any one; null otherwise.
 */
export function goneReason(
  { number, arms }: GoneLook,
  { maxFailedPct, minSample }: Pick<Plan, 'maxFailedPct' | 'minSample'>,
): StopReason | null {
  const limit = maxFailedPct / 100
  const { offered, control } = arms
  if (offered.devices < minSample || offered.gone < LEAST_FAILED) return null
  // Adds up to 1 over all looks, however many there are.
  const share = HALF / ((HALF + number - 1) * (HALF + number))
  if (!isMore(arms, limit, ERROR * PART * share)) return null
  if (!arms.withoutOne.every((rest) => isMore(rest, limit, ERROR))) return null
  const { lowPct, highPct, ...counts } = failedShare(offered.gone, offered.devices)
  const usual = control.gone / control.devices
  return {
    ...{ code: 'too_many_failures', ...counts, stuck: 0, failedPct: lowPct, highPct },
    ...{ limitPct: toPercent(limit + usual), usualPct: 0 },
    control: failedShare(control.gone, control.devices),
  }
}

/**
 * Whether more devices are gone than of the control, by more than `limit`, with this chance of `error` (both 0 to 1). The control is
 * taken for its upper bound of C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of
 * the binomial" (1934). Devices need not be alike: W. Hoeffding, "On the distribution of the number of successes in independent
 * trials" (1956), shows that unlike ones are as far from their mean at most.
 */
export function isMore({ offered, control }: TwoArms, limit: number, error: number): boolean {
  if (control.devices < LEAST_CONTROL) return false
  // Networks count in proportion: what is not whole is rounded to the side of the release.
  const [failed, judged] = [Math.floor(offered.gone), Math.ceil(offered.devices)]
  const usual = upperBound(
    Math.ceil(control.gone),
    Math.floor(control.devices),
    FOR_CONTROL * error,
  )
  return atLeast(failed, judged, Math.min(1, usual + limit)) <= (1 - FOR_CONTROL) * error
}

/** The largest share (0 to 1) of which so few fail with that chance of `error`. */
function upperBound(failed: number, judged: number, error: number): number {
  let [low, high] = [Math.min(1, failed / judged), 1]
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (low + high) / 2
    if (atLeast(judged - failed, judged, 1 - middle) > error) low = middle
    else high = middle
  }
  return high
}

/** The chance that at least `failed` of `judged` devices fail, if a `share` (0 to 1) does; 1 if that is no more than the mean. */
function atLeast(failed: number, judged: number, share: number): number {
  if (failed <= judged * share) return 1
  if (failed > judged || share <= 0) return 0
  let term = Math.exp(
    logFactorial(judged) -
      logFactorial(failed) -
      logFactorial(judged - failed) +
      failed * Math.log(share) +
      (judged - failed) * Math.log1p(-share),
  )
  let sum = 0
  // Above the mean, each term is smaller than the one before.
  for (let count = failed; count <= judged && term > sum * Number.EPSILON; count += 1) {
    sum += term
    term *= (((judged - count) / (count + 1)) * share) / (1 - share)
  }
  return sum
}

/** Whether a device is gone that was not seen for so many milliseconds, with its usual interval in seconds. */
export function isGone(unseen: number, interval: number): boolean {
  return unseen >= 1_000 * Math.max(3_600 * GONE_AFTER, interval)
}
