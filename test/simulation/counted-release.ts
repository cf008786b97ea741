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
} from '../../src/server/fleet/health/episode.ts'
import {
  type CountedHealth,
  healthOf,
  SILENCE_HOURS,
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

/** The counters of a release, changed by check-ins as the server changes them. Times are hours of the simulation. */
export class CountedRelease {
  readonly #number: number
  readonly #areAlike: boolean
  readonly #cells = new Map<number, number>()
  #firstOffer: number | null = null

  /** `areAlike`: whether nothing is counted by network and weight. */
  constructor(number: number, areAlike: boolean) {
    this.#number = number
    this.#areAlike = areAlike
  }

  get cells(): Cells {
    return this.#cells
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
    this.#count(device, before, device.interval, device.lastSeen, -1)
    if (took !== null) {
      this.#weigh(device, at)
      this.#add(timeCell(took), 1)
      if (isSlow(timeCell(took))) this.#add(networkCell(device.evidence, SLOW_ADOPTION), 1)
      if (before.phase === STUCK) {
        this.#add(RECOVERED, 1)
        this.#add(networkCell(device.evidence, RECOVERED), 1)
      }
    }
    if (after.release !== before.release || after.phase !== before.phase) this.#weigh(device, at)
    this.#count(device, after, interval, at, 1)
    device.episode = after
    device.interval = interval
    device.lastSeen = at
  }

  #weigh(device: Device, at: number): void {
    if (this.#areAlike) return
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
    this.#add(deviceCell(phase, interval, seen), change)
    if (this.#areAlike) return
    eachWeighedCell(phase, interval, seen, evidence, (cell) => this.#add(cell, change))
  }

  #add(cell: number, change: number): void {
    const devices = (this.#cells.get(cell) ?? 0) + change
    if (devices === 0) this.#cells.delete(cell)
    else this.#cells.set(cell, devices)
  }
}

/** Returns what the server knows of devices. `busy`: the hours in which any device checked in. */
export function healthIn(counted: Cells, hour: number, busy: ReadonlySet<number>): CountedHealth {
  const cells = [...counted]
    .filter(([, devices]) => devices > 0)
    .sort(([one], [other]) => one - other)
  const hours = new Set([hour + EPOCH])
  for (let at = hour - SILENCE_HOURS; at < hour; at += 1) if (busy.has(at)) hours.add(at + EPOCH)
  return healthOf(cells, silence(hour + EPOCH, hours))
}

function secondsAt(hour: number): number {
  return Math.floor((hour + EPOCH) * HOUR)
}
