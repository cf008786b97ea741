import { timeCell } from '../../src/server/fleet/health/adoption-times.ts'
import { deviceCell, RECOVERED } from '../../src/server/fleet/health/cells.ts'
import { advance, NO_EPISODE, type Sighting, STUCK } from '../../src/server/fleet/health/episode.ts'
import { healthOf, silence } from '../../src/server/fleet/health/release-counts.ts'
import { nextInterval } from '../../src/server/fleet/health/usual-interval.ts'
import type { Observed } from '../../src/server/judging/counted.ts'
import type { Device } from './device.ts'
import { DAY, WEEK } from './habits.ts'

const HOUR = 3_600
/** The hour at which a simulation begins, since 1970-01-01 UTC: a Monday. */
export const EPOCH = 4 * DAY + 2_500 * WEEK

/** What a check-in shows. */
export interface Shown extends Pick<Sighting, 'moved' | 'outcome'> {
  readonly isOffered: boolean
}

/** The counters of a release, changed by check-ins as the server changes them. Times are hours of the simulation. */
export class CountedRelease {
  readonly #number: number
  readonly #cells = new Map<number, number>()

  constructor(number: number) {
    this.#number = number
  }

  /** Takes a check-in. */
  seen(device: Device, at: number, { isOffered, moved, outcome }: Shown): void {
    const before = device.episode.release === this.#number ? device.episode : NO_EPISODE
    const interval = nextInterval(device.interval, secondsAt(at) - secondsAt(device.lastSeen))
    const { after, took } = advance(before, {
      ...{ at: secondsAt(at), moved, outcome, offered: isOffered ? this.#number : 0 },
      ...{ isSentBack: false, isRolledBack: false },
    })
    if (took !== null) this.#add(timeCell(took), 1)
    if (took !== null && before.phase === STUCK) this.#add(RECOVERED, 1)
    const from = deviceCell(before.phase, device.interval, secondsAt(device.lastSeen) * 1_000)
    if (before.release !== 0) this.#add(from, -1)
    const to = deviceCell(after.phase, interval, secondsAt(at) * 1_000)
    if (after.release !== 0) this.#add(to, 1)
    device.episode = after
    device.interval = interval
    device.lastSeen = at
  }

  /** Returns what the server knows. `busy`: the hours in which any device checked in. */
  observed(hour: number, busy: ReadonlySet<number>): Observed {
    const cells = [...this.#cells]
      .filter(([, devices]) => devices > 0)
      .sort(([one], [other]) => one - other)
    const hours = new Set(Array.from(busy, (each) => each + EPOCH)).add(hour + EPOCH)
    return healthOf(cells, silence(hour + EPOCH, hours))
  }

  #add(cell: number, change: number): void {
    this.#cells.set(cell, (this.#cells.get(cell) ?? 0) + change)
  }
}

function secondsAt(hour: number): number {
  return Math.floor((hour + EPOCH) * HOUR)
}
