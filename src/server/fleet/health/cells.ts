import type { Phase } from './episode.ts'
import { WAITING } from './episode.ts'
import { silentFrom } from './usual-interval.ts'

/*
 * What is counted of a release, as the number of a cell: below 16 by phase, from 64 on by the time that adoption took, and
 * devices that wait by the hour from which they are silent, which is above 400,000.
 */

/** Devices that had adopted the release before they were offered another one. */
export const PASSED = 8
/** Devices that were stuck, and then adopted the release. */
export const RECOVERED = 9
export const FIRST_TIME = 64
/** Cells from here on are hours. */
export const FIRST_HOUR = 1_000

/** The cell of a device. `interval`: its usual one, in seconds; `lastSeen`: Unix ms. 0 without an episode. */
export function deviceCell(phase: Phase, interval: number, lastSeen: number): number {
  return phase === WAITING ? Math.max(FIRST_HOUR, silentFrom(lastSeen, interval)) : phase
}

/** Returns whether the cell counts waiting devices by the hour. */
export function isHour(cell: number): boolean {
  return cell >= FIRST_HOUR
}

/** Returns whether the cell can be recounted from the devices. The others count what was. */
export function isOfDevices(cell: number): boolean {
  return isHour(cell) || cell < PASSED
}
