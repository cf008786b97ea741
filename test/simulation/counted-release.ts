import { isSlow, timeCell } from '../../src/server/fleet/health/adoption-times.ts'
import {
  deviceCell,
  eachWeighedCell,
  networkCell,
  RECOVERED,
  SLOW_ADOPTION,
} from '../../src/server/fleet/health/cells.ts'
import {
  advance,
  type Episode,
  NO_EPISODE,
  type Sighting,
  STUCK,
  WAITING,
} from '../../src/server/fleet/health/episode.ts'
import {
  type CountedHealth,
  healthOf,
  silence,
} from '../../src/server/fleet/health/release-counts.ts'
import { nextInterval } from '../../src/server/fleet/health/usual-interval.ts'
import { evidenceAt } from '../../src/server/fleet/health/weight.ts'
import type { Device } from './device.ts'
import { DAY, WEEK } from './habits.ts'

const HOUR = 3_600
/** The hour at which a simulation begins, since 1970-01-01 UTC: a Monday. */
export const EPOCH = 4 * DAY + 2_500 * WEEK

/** What a check-in shows. */
export interface Shown extends Pick<Sighting, 'moved' | 'outcome'> {
  readonly isOffered: boolean
}

/** Devices by cell, as the server counts them. */
export type Cells = ReadonlyMap<number, number>

/** What is counted of a release: of all devices, and by network and weight. */
export interface CountedCells {
  readonly all: Cells
  readonly weighed: Cells
}

/** The counters of a release, changed by check-ins as the server changes them. Times are hours of the simulation. */
export class CountedRelease {
  readonly #number: number
  readonly #all: Map<number, number>
  readonly #weighed: Map<number, number>
  #firstOffer: number | null = null

  constructor(number: number, { all, weighed }: CountedCells = NOTHING) {
    this.#number = number
    this.#all = new Map(all)
    this.#weighed = new Map(weighed)
  }

  get cells(): CountedCells {
    return { all: this.#all, weighed: this.#weighed }
  }

  fork(): CountedRelease {
    const fork = new CountedRelease(this.#number, this.cells)
    fork.#firstOffer = this.#firstOffer
    return fork
  }

  /** Whether the device was offered the release. */
  isOffered({ episode }: Device): boolean {
    return episode.release === this.#number
  }

  /** Takes a check-in. */
  seen(device: Device, at: number, { isOffered, moved, outcome }: Shown): void {
    if (isOffered) this.#firstOffer ??= at
    const before = device.episode.release === this.#number ? device.episode : NO_EPISODE
    const interval = nextInterval(device.interval, secondsAt(at) - secondsAt(device.lastSeen))
    const { after, took } = advance(before, {
      ...{ at: secondsAt(at), moved, outcome, offered: isOffered ? this.#number : 0 },
      ...{ isSentBack: false, isRolledBack: false },
    })
    const hasMoved = after.release !== before.release || after.phase !== before.phase
    if (hasMoved || took !== null || after.phase === WAITING) {
      this.#count(device, before, device.interval, device.lastSeen, -1)
      if (took !== null) this.#adopted(device, at, took, before.phase === STUCK)
      if (hasMoved) this.#weigh(device, at)
      this.#count(device, after, interval, at, 1)
    }
    device.episode = after
    device.interval = interval
    device.lastSeen = at
  }

  #adopted(device: Device, at: number, took: number, wasStuck: boolean): void {
    this.#weigh(device, at)
    const cell = timeCell(took)
    add(this.#all, cell, 1)
    if (isSlow(cell)) add(this.#weighed, networkCell(device.evidence, SLOW_ADOPTION), 1)
    if (!wasStuck) return
    add(this.#all, RECOVERED, 1)
    add(this.#weighed, networkCell(device.evidence, RECOVERED), 1)
  }

  #weigh(device: Device, at: number): void {
    const firstSeen = secondsAt(device.firstSeen)
    const firstOffer = secondsAt(this.#firstOffer ?? at)
    const sent = { at: secondsAt(at), caller: device.caller }
    device.evidence = evidenceAt(device.evidence, { firstSeen, firstOffer, ...sent })
  }

  #count(
    { evidence }: Device,
    { release, phase }: Episode,
    interval: number,
    lastSeen: number,
    change: 1 | -1,
  ): void {
    if (release === 0) return
    const seen = secondsAt(lastSeen) * 1_000
    add(this.#all, deviceCell(phase, interval, seen), change)
    eachWeighedCell(phase, interval, seen, evidence, (cell) => add(this.#weighed, cell, change))
  }
}

const NOTHING: CountedCells = { all: new Map(), weighed: new Map() }

function add(cells: Map<number, number>, cell: number, change: number): void {
  const devices = (cells.get(cell) ?? 0) + change
  if (devices === 0) cells.delete(cell)
  else cells.set(cell, devices)
}

/** Returns what the server knows of devices. `busy`: the hours since 1970 in which any device checked in. */
export function healthIn(counted: Cells, hour: number, busy: ReadonlySet<number>): CountedHealth {
  const cells = [...counted]
    .filter(([, devices]) => devices > 0)
    .sort(([one], [other]) => one - other)
  return healthOf(cells, silence(hour + EPOCH, busy))
}

function secondsAt(hour: number): number {
  return Math.floor((hour + EPOCH) * HOUR)
}
