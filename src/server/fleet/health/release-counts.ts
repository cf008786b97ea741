import type { AdoptionTime, HealthState, ReleaseHealth } from '../../../shared/health/health.ts'
import { HEALTH_STATES, NO_HEALTH } from '../../../shared/health/health-states.ts'
import type { NetworkTally, WeighedTallies, WeighedTally } from '../../rules/judging/tallies.ts'
import { adoptionTime, isSlow, isTime } from './adoption-times.ts'
import { isHour, PASSED, RECOVERED, readWeighedCell, SLOW_ADOPTION } from './cells.ts'
import { ADOPTED, REPORTED, REVERTED, STUCK, WAITING } from './episode.ts'
import { KEYED, KNOWN, LONG_KNOWN, NEW, type Weight } from './weight.ts'

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
  /** Of those that wait, devices that are silent within `LATE_HOURS` unless they check in. */
  readonly late: number
  /** The same by what the devices weigh. */
  readonly tallies: WeighedTallies
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
    late: sum((cell) => isHour(cell) && isLate(cell, isSilent)),
    tallies: talliesOf(cells, health, isSilent),
  }
}

/** Hours before a device is silent from which it is late. One that is always on is then late after 4 hours. */
const LATE_HOURS = 44

function isLate(due: number, isSilent: (hour: number) => boolean): boolean {
  return !isSilent(due) && isSilent(due - LATE_HOURS)
}

/** Devices that count by no weight are from before weights were counted, and as good as new. */
function talliesOf(
  cells: ReleaseCells,
  all: ReleaseHealth,
  isSilent: (hour: number) => boolean,
): WeighedTallies {
  const [fresh, known, keyed, longKnown] = [NEW, KNOWN, KEYED, LONG_KNOWN].map((weight) =>
    tallyOf(cells, weight as Weight, isSilent),
  ) as [WeighedTally, WeighedTally, WeighedTally, WeighedTally]
  const health = { ...all }
  for (const state of ['offered', ...HEALTH_STATES] as const) {
    const others = known.health[state] + keyed.health[state] + longKnown.health[state]
    health[state] = Math.max(0, all[state] - others)
  }
  return { fresh: { ...fresh, health }, known, keyed, longKnown }
}

const KINDS = new Map<number, Exclude<keyof NetworkTally, 'network'>>([
  [WAITING, 'waiting'],
  [ADOPTED, 'adopted'],
  [PASSED, 'adopted'],
  [STUCK, 'stuck'],
  [REVERTED, 'reverted'],
  [REPORTED, 'reported'],
  [RECOVERED, 'recovered'],
  [SLOW_ADOPTION, 'slow'],
])

const NO_TALLY = {
  ...{ waiting: 0, adopted: 0, stuck: 0, reverted: 0, reported: 0, recovered: 0, slow: 0 },
}

function tallyOf(
  cells: ReleaseCells,
  weight: Weight,
  isSilent: (hour: number) => boolean,
): WeighedTally {
  type Tally = { network: number } & typeof NO_TALLY
  const byNetwork = new Map<number, Tally>()
  const sum = { ...NO_TALLY }
  let [silent, late] = [0, 0]
  for (const [cell, devices] of cells) {
    const weighed = readWeighedCell(cell)
    if (weighed?.weight !== weight) continue
    if ('hour' in weighed) {
      if (isSilent(weighed.hour)) silent += devices
      else if (isLate(weighed.hour, isSilent)) late += devices
      continue
    }
    const kind = KINDS.get(weighed.kind)
    if (kind === undefined) continue
    const { network } = weighed
    const tally = byNetwork.get(network) ?? { network, ...NO_TALLY }
    tally[kind] += devices
    sum[kind] += devices
    byNetwork.set(network, tally)
  }
  const { recovered, slow, ...states } = sum
  const waiting = Math.max(0, states.waiting - silent)
  const health = { ...NO_HEALTH, ...states, waiting, silent }
  health.offered = HEALTH_STATES.reduce((total, state) => total + health[state], 0)
  // Without a network: what came with a key.
  const networks = [...byNetwork.values()].filter(({ network }) => network !== 0)
  return { health, recovered, slow, late, networks }
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

/** Returns the health that a sample has stored; null without one. */
export function healthOfSample(
  sample: Omit<ReleaseHealth, 'offered'> | undefined,
): ReleaseHealth | null {
  if (sample === undefined) return null
  const offered = Object.values(sample).reduce((sum, devices) => sum + devices, 0)
  return { ...NO_HEALTH, ...sample, offered }
}
