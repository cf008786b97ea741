import { ERROR, logFactorial } from '../../../shared/health/always-valid.ts'
import { failedShare, type StopReason, toPercent } from '../../../shared/health/judgement.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import { PLAN_PRESETS, type PlanPreset, presetPlan } from '../../../shared/plans/plan-presets.ts'
import { type Arms, LEAST_CONTROL, type TwoArms } from './control.ts'
import { LEAST_FAILED } from './judge.ts'

/** Hours after which a device that has not been back is gone; its own usual interval, if that is longer. */
const GONE_AFTER = 24
/** Hours between two looks at devices that are gone, of which the first is this long after the first offer. */
const LOOK_EVERY = 6
/** The part of `ERROR` that all of these looks have together. */
const PART = 0.3
/** How the looks share it: half of it is for the first twelve, which are in the first four days. */
const HALF = 12

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
    ...{ limitPct: toPercent(limit + usual), usualPct: 0, gone: counts.failed },
    control: failedShare(control.gone, control.devices),
  }
}

/** Hours that are foreseen. */
const FORESEEN = 14 * 24
export interface SeenDevices {
  readonly devices: number
  /** Seen on an average day of the last week. */
  readonly perDay: number
}

/** The shares of devices that a release silences, and that are away whatever they are offered. */
const [LOST, AWAY] = [0.25, 0.02]

/**
 * Returns in how many hours, at the earliest, a release is stopped that never starts again on a quarter of its devices, if it is offered
 * to a `share` (0 to 1) of `devices`, of which so many are seen in a day; null if not within two weeks.
 */
export function hoursToFindGone(
  share: number,
  { devices, perDay }: SeenDevices,
  limits: Pick<Plan, 'maxFailedPct' | 'minSample'>,
): number | null {
  const seen = (hours: number) => Math.min(devices, (perDay * hours) / 24)
  const away = (all: number) => ({ devices: all, gone: AWAY * all, silent: 0, reverted: 0 })
  for (let age = GONE_AFTER; age <= FORESEEN; age += LOOK_EVERY) {
    const all = away(share * seen(age))
    const lost = LOST * share * seen(age - GONE_AFTER)
    const offered = { ...all, gone: all.gone + lost }
    const arms = { offered, control: away((1 - share) * seen(age)), withoutOne: [] }
    const number = lookAtAge(age)
    if (number !== null && goneReason({ number, arms }, limits) !== null) return age
  }
  return null
}

/** Hours in which it is to be found that a release silences a quarter of its devices. */
const SOON = 72
/** The hours of the simulation, where devices install late and offers wait early, divided by the calculated ones. */
const LATER = 1.7

/** Returns the first preset whose step finds failures that soon, before the next; for few devices the last, or `one-day`. */
export function recommendedPreset(seen: SeenDevices): PlanPreset {
  const findsSoon = (times: number) => (preset: PlanPreset) => {
    const plan = presetPlan(preset, 'UTC')
    let begins = 0
    return plan.steps.some((step) => {
      const foreseen = 'ring' in step ? null : hoursToFindGone(step.rolloutPct / 100, seen, plan)
      const hours = times * (foreseen ?? Number.POSITIVE_INFINITY)
      const isFound = hours <= Math.min(step.soakHours, SOON - begins)
      begins += step.soakHours
      return isFound
    })
  }
  return PLAN_PRESETS.find(findsSoon(LATER)) ?? PLAN_PRESETS.findLast(findsSoon(1)) ?? 'one-day'
}

/**
 * Whether more devices are gone than of the control, by more than `limit`, with this chance of `error` (both 0 to 1). Chance settled which
 * devices were offered the release, so it decides where those that are gone are: R. A. Fisher, "The logic of inductive inference"
 * (1935), whatever habits the devices have. Of the control, as many more are taken for gone as the limit allows of the release.
 */
export function isMore({ offered, control }: TwoArms, limit: number, error: number): boolean {
  if (control.devices < LEAST_CONTROL) return false
  // Networks count in proportion: what is not whole is rounded to the side of the release.
  const [failed, judged] = [Math.floor(offered.gone), Math.ceil(offered.devices)]
  const [usual, others] = [Math.ceil(control.gone), Math.floor(control.devices)]
  if (2 * usual > others) return false
  const allowed = Math.min(others, Math.ceil(usual + limit * others))
  return atLeast(failed, judged, failed + allowed, judged + others) <= error
}

/** The chance that at least `failed` of `judged` devices are among the `gone` ones of `all`; 1 if that is no more than the mean. */
function atLeast(failed: number, judged: number, gone: number, all: number): number {
  if (failed * all <= judged * gone) return 1
  const others = all - judged
  const away = gone - failed
  let term = Math.exp(choices(judged, failed) + choices(others, away) - choices(all, gone))
  let sum = 0
  // Above the mean, each term is smaller than the one before.
  for (let more = 0; term > sum * Number.EPSILON; more += 1) {
    sum += term
    const [gained, lost] = [failed + more, away - more]
    term *= ((judged - gained) * lost) / ((gained + 1) * (others - lost + 1))
  }
  return sum
}

/** The logarithm of the number of ways to choose `some` of `all`. */
function choices(all: number, some: number): number {
  return logFactorial(all) - logFactorial(some) - logFactorial(all - some)
}

/** Whether a device is gone that was not seen for so many milliseconds, with its usual interval in seconds. */
export function isGone(unseen: number, interval: number): boolean {
  return unseen >= 1_000 * Math.max(3_600 * GONE_AFTER, interval)
}
