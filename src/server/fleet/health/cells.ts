import type { Phase } from './episode.ts'
import { NONE, WAITING } from './episode.ts'
import { silentFrom } from './usual-interval.ts'
import { NETWORKS, NEW, networkOf, type Weight, weightOf } from './weight.ts'

/*
 * What is counted of a release, as the number of a cell: below 16 by phase, from 64 on by the time that adoption took, and
 * devices that wait by the hour from which they are silent, which is above 400,000. All count again by weight, network and
 * what is below 16, and those that wait and are not new by weight and hour.
 */

/** Devices that had adopted the release before they were offered another one. */
export const PASSED = 8
/** Devices that were stuck, and then adopted the release. */
export const RECOVERED = 9
/** Devices that adopted the release slowly (see `isSlow`): by network only. */
export const SLOW_ADOPTION = 10
export const FIRST_TIME = 64
/** Cells of networks, each with room for what is counted of one. */
const FIRST_NETWORK = 1_000
const NETWORK_ROOM = 16
/** Cells from here on are hours. */
export const FIRST_HOUR = 10_000
/** Cells of one weight: hours fit until the year 2209. */
export const WEIGHT_ROOM = 2 ** 21

/** The cell of a device. `interval`: its usual one, in seconds; `lastSeen`: Unix ms. 0 without an episode. */
export function deviceCell(phase: Phase, interval: number, lastSeen: number): number {
  return phase === WAITING ? Math.max(FIRST_HOUR, silentFrom(lastSeen, interval)) : phase
}

/** Calls `count` with each cell that a device with an episode counts in. Arguments as for `deviceCell`. */
export function eachCell(
  phase: Phase,
  interval: number,
  lastSeen: number,
  evidence: number,
  count: (cell: number) => void,
): void {
  count(deviceCell(phase, interval, lastSeen))
  eachWeighedCell(phase, interval, lastSeen, evidence, count)
}

/** Calls `count` with each cell by weight that a device counts in. Arguments as for `deviceCell`. */
export function eachWeighedCell(
  phase: Phase,
  interval: number,
  lastSeen: number,
  evidence: number,
  count: (cell: number) => void,
): void {
  if (phase === NONE || !isWeighed(evidence)) return
  const weight = weightOf(evidence)
  count(networkCell(evidence, phase))
  if (phase !== WAITING || weight === NEW) return
  count(weight * WEIGHT_ROOM + deviceCell(phase, interval, lastSeen))
}

/** Returns whether a device counts by network: it does not if its state is from before networks were counted. */
export function isWeighed(evidence: number): boolean {
  return weightOf(evidence) !== NEW || networkOf(evidence) !== 0
}

/** The cell of a network that counts devices by `kind`: a phase, `PASSED`, `RECOVERED` or `SLOW_ADOPTION`. */
export function networkCell(evidence: number, kind: number): number {
  const place = FIRST_NETWORK + networkOf(evidence) * NETWORK_ROOM + kind
  return weightOf(evidence) * WEIGHT_ROOM + place
}

/** A cell by weight: of an hour, or of a network and what it counts. */
export type WeighedCell = { readonly weight: Weight } & (
  | { readonly hour: number }
  | { readonly network: number; readonly kind: number }
)

/** The reverse; null for a cell of all devices. */
export function readWeighedCell(cell: number): WeighedCell | null {
  if (cell < FIRST_NETWORK || isHour(cell)) return null
  const weight = Math.floor(cell / WEIGHT_ROOM) as Weight
  const within = cell % WEIGHT_ROOM
  if (within >= FIRST_HOUR) return { weight, hour: within }
  const place = within - FIRST_NETWORK
  const network = Math.min(NETWORKS - 1, Math.floor(place / NETWORK_ROOM))
  return { weight, network, kind: place % NETWORK_ROOM }
}

/** Returns whether the cell counts waiting devices of any weight by the hour. */
export function isHour(cell: number): boolean {
  return cell >= FIRST_HOUR && cell < WEIGHT_ROOM
}

/** Returns whether the cell can be recounted from the devices. The others count what was. */
export function isOfDevices(cell: number): boolean {
  const weighed = readWeighedCell(cell)
  if (weighed === null) return isHour(cell) || cell < PASSED
  return 'hour' in weighed || weighed.kind < PASSED
}
