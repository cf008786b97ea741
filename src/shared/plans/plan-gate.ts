import {
  devicesToExclude,
  EXCLUDED,
  evidenceAbove,
  evidenceBelow,
  SUSPECTED,
  validInterval,
} from '../health/always-valid.ts'
import { failedOf, judgedOf, type ReleaseHealth } from '../health/health.ts'
import type { PlanGate } from './plan.ts'

/** What gates look at. Percentages, 0 to 100. */
export interface GateValues {
  readonly adoptedPct: number
  /** The upper bound of the failed share, which is valid however often one looks: a gate needs evidence. */
  readonly failedPct: number
  /** Devices that adopted the release or failed. */
  readonly sample: number
}

/** Returns what gates look at of a release. */
export function gateValues(health: ReleaseHealth): GateValues {
  const { offered, adopted } = health
  const sample = judgedOf(health)
  return {
    adoptedPct: offered === 0 ? 0 : (adopted / offered) * 100,
    failedPct: validInterval(failedOf(health), sample).high * 100,
    sample,
  }
}

/** The members of a gate that look at devices; what the others check has readings. */
type CountedMember = 'minAdoptedPct' | 'maxFailedPct' | 'minSample'

/** One member of a gate, the number that it asks for and the one that there is. */
export interface GateCondition {
  readonly name: CountedMember
  readonly asked: number
  readonly actual: number
  readonly isMet: boolean
}

/**
 * Returns what a gate asks for, and whether it holds. `leastSample`: devices that adopted the release or failed from which one
 * without a sample of its own looks at their failures, or half of those that were offered it if these are fewer.
 */
export function gateConditions(
  { minAdoptedPct, maxFailedPct, minSample }: PlanGate,
  health: ReleaseHealth,
  leastSample: number,
): GateCondition[] {
  const { adoptedPct, failedPct, sample } = gateValues(health)
  const condition = (
    name: CountedMember,
    asked: number | undefined,
    actual: number,
    isMet: (asked: number) => boolean,
  ): GateCondition[] => (asked === undefined ? [] : [{ name, asked, actual, isMet: isMet(asked) }])
  return [
    ...condition('minAdoptedPct', minAdoptedPct, adoptedPct, (asked) => adoptedPct >= asked),
    ...condition('maxFailedPct', maxFailedPct, failedPct, (asked) =>
      failsAtMost(asked / 100, health, minSample ?? Math.min(leastSample, health.offered / 2)),
    ),
    ...condition('minSample', minSample, sample, (asked) => sample >= asked),
  ]
}

/**
 * Whether it is shown that no more than `limit` (0 to 1) of the devices fail. So few devices that they may not show it of a good
 * release pass unless they fail as if more than the limit did, if the outcome of `least` is known.
 */
function failsAtMost(limit: number, health: ReleaseHealth, least: number): boolean {
  if (limit >= 1) return true
  const [failed, sample] = [failedOf(health), judgedOf(health)]
  if (evidenceBelow(failed, sample, limit) >= EXCLUDED) return true
  if (health.offered >= devicesToExclude(limit) || sample < Math.max(1, least)) return false
  return failed === 0 || evidenceAbove(failed, sample, limit) < SUSPECTED
}
