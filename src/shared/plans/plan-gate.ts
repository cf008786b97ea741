import { EXCLUDED, evidenceBelow, validInterval } from '../health/always-valid.ts'
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
 * Returns what a gate asks for, and whether it holds. That no more than a share of the devices fails must be shown, so too few
 * devices never open a gate: `devicesToExclude` says how many it takes. No number of devices shows 0%.
 */
export function gateConditions(
  { minAdoptedPct, maxFailedPct, minSample }: PlanGate,
  health: ReleaseHealth,
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
    ...condition(
      'maxFailedPct',
      maxFailedPct,
      failedPct,
      (asked) => asked >= 100 || evidenceBelow(failedOf(health), sample, asked / 100) >= EXCLUDED,
    ),
    ...condition('minSample', minSample, sample, (asked) => sample >= asked),
  ]
}
