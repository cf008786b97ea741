import type { AdoptionTime, HealthState, ReleaseHealth } from '../../../shared/health.ts'
import { NO_HEALTH } from '../../../shared/health-states.ts'
import { adoptionTime, isSlow, isTime } from './adoption-times.ts'
import { isHour, PASSED, RECOVERED } from './cells.ts'
import { ADOPTED, REPORTED, REVERTED, STUCK } from './episode.ts'

/** Devices by cell, ascending. */
export type ReleaseCells = readonly (readonly [cell: number, devices: number])[]

/** What the counters know of a release. */
export interface CountedHealth {
  readonly health: ReleaseHealth
  /** null if no device adopted it. */
  readonly adoption: AdoptionTime | null
  /** Devices that were stuck, and then adopted it. */
  readonly recovered: number
  /** Devices that had adopted it when they were offered another release. They are counted as adopted. */
  readonly movedOn: number
  /** Devices that adopted it more than six hours after they were offered it. */
  readonly slow: number
}

const STATES = new Map<number, HealthState>([
  [ADOPTED, 'adopted'],
  [PASSED, 'adopted'],
  [STUCK, 'stuck'],
  [REVERTED, 'reverted'],
  [REPORTED, 'reported'],
])

/** Returns the health of a release from its counters. `isSilent` tells for an hour whether it is over, see `silence`. */
export function healthOf(cells: ReleaseCells, isSilent: (hour: number) => boolean): CountedHealth {
  const health = { ...NO_HEALTH }
  for (const [cell, devices] of cells) {
    const state = isHour(cell) ? (isSilent(cell) ? 'silent' : 'waiting') : STATES.get(cell)
    if (state === undefined) continue
    health[state] += devices
    health.offered += devices
  }
  const sum = (isCounted: (cell: number) => boolean) =>
    cells.reduce((total, [cell, devices]) => total + (isCounted(cell) ? devices : 0), 0)
  return {
    health,
    adoption: adoptionTime(cells.filter(([cell]) => isTime(cell))),
    movedOn: sum((cell) => cell === PASSED),
    recovered: sum((cell) => cell === RECOVERED),
    slow: sum(isSlow),
  }
}

/** Hours before the end of a device's time that are looked at for hours without any check-in. */
const LOOKED_BACK = 48

/** The hours whose check-ins `silence` needs before `hour`: 30 days. */
export const SILENCE_HOURS = 30 * 24

/**
 * Tells which waiting devices are silent at `hour` (since 1970-01-01 UTC), by the hour of their cell. Hours in which no
 * device at all checked in do not count: the server or its network may have been down. `busy`: the hours with check-ins,
 * from `SILENCE_HOURS` back; the current hour counts as one.
 */
export function silence(hour: number, busy: ReadonlySet<number>): (due: number) => boolean {
  const first = hour - SILENCE_HOURS
  /** At index `i`, how many of the hours from `first` to before `first + i` were without a check-in. */
  const quiet = new Uint32Array(SILENCE_HOURS + 1)
  for (let at = 0; at < SILENCE_HOURS; at++) {
    quiet[at + 1] = (quiet[at] ?? 0) + (busy.has(first + at) ? 0 : 1)
  }
  const before = (end: number) => quiet[Math.min(SILENCE_HOURS, Math.max(0, end - first))] ?? 0
  return (due) => hour - due >= before(hour) - before(due - LOOKED_BACK)
}
