import { wilsonInterval, Z95 } from './interval.ts'

/**
 * Returns the share of sessions that did not crash, in percent, at the least: one minus the upper bound of the crashed
 * ones. 0 without sessions.
 */
export function crashFreePct(crashed: number, ended: number): number {
  return (1 - wilsonInterval(crashed, ended, Z95).high) * 100
}
