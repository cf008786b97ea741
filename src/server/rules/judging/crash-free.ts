import { validHigh } from '../../../shared/health/always-valid.ts'
import {
  endedOf,
  SESSION_COUNTS,
  type SessionCounts,
} from '../../../shared/health/health-states.ts'

/** Returns the crash-free share of sessions in percent, at the least and however often one looks. 0 without sessions. */
export function crashFreePct(crashed: number, ended: number): number {
  return (1 - validHigh(crashed, ended)) * 100
}

/** Sessions, and the least share of them that did not crash, in percent. */
export interface CrashFree {
  readonly sessions: number
  readonly atLeastPct: number
}

/** Returns the sum of sessions. */
export function sumOf(each: readonly SessionCounts[]): SessionCounts {
  const sums = { started: 0, healthy: 0, errored: 0, crashed: 0, abnormal: 0 }
  for (const counts of each) for (const name of SESSION_COUNTS) sums[name] += counts[name]
  return sums
}

/** Returns what is known of a release's sessions. `rest`: without the network with the most, which must not hide crashes. */
export function crashFreeOf(networks: readonly SessionCounts[]): {
  readonly all: CrashFree
  readonly rest: CrashFree | null
} {
  const ended = networks.filter((counts) => endedOf(counts) > 0)
  const [, ...rest] = ended.toSorted((one, other) => endedOf(other) - endedOf(one))
  return { all: boundOf(ended), rest: rest.length === 0 ? null : boundOf(rest) }
}

function boundOf(networks: readonly SessionCounts[]): CrashFree {
  const sum = sumOf(networks)
  const sessions = endedOf(sum)
  return { sessions, atLeastPct: crashFreePct(sum.crashed, sessions) }
}
