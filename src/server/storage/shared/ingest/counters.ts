import { dayOf, hourOf } from '../../../fleet/time.ts'
import { COUNTER_WIDTH, type TelemetryBatch, TRAFFIC_WIDTH } from '../batch.ts'
import { HealthCounters } from './episode-counts.ts'

/** Days fit into 17 bits until the year 2328. */
const DAY_ROOM = 2 ** 17
/** Hours until the year 2926. */
const HOUR_ROOM = 2 ** 23

interface Traffic {
  readonly channelKey: number
  readonly hour: number
  checkIns: number
  anonymous: number
  offers: number
}

/**
 * Changes of the counters since they were last taken. Every move of a device updates them, so they are never
 * recounted from check-ins:
 * - adoption counts a device once a UTC day, under the last profile that it had that day
 * - hourly adoption does the same by the UTC hour
 * - presence counts a device once, under its last profile and the UTC day of its last check-in
 *
 * If the clock was set back across midnight (or an hour), a device counts on both days (or in both hours).
 */
export class Counters {
  readonly health = new HealthCounters()
  readonly #adoption = new Map<number, number>()
  readonly #hourly = new Map<number, number>()
  readonly #presence = new Map<number, number>()
  readonly #traffic = new Map<number, Traffic>()
  #latest: Traffic | undefined

  /** A device's first check-in. */
  deviceCame(profile: number, at: number): void {
    const cell = cellOf(profile, dayOf(at))
    add(this.#hourly, hourCellOf(profile, hourOf(at)), 1)
    add(this.#adoption, cell, 1)
    add(this.#presence, cell, 1)
  }

  /** A check-in of a known device, or the same of several. Times are Unix milliseconds. */
  deviceMoved(oldProfile: number, oldAt: number, profile: number, at: number, devices = 1): void {
    const oldHour = hourOf(oldAt)
    const hour = hourOf(at)
    if (oldHour === hour && oldProfile === profile) return
    if (oldHour === hour) add(this.#hourly, hourCellOf(oldProfile, oldHour), -devices)
    add(this.#hourly, hourCellOf(profile, hour), devices)
    const oldDay = dayOf(oldAt)
    const day = dayOf(at)
    if (oldDay === day && oldProfile === profile) return
    const oldCell = cellOf(oldProfile, oldDay)
    const cell = cellOf(profile, day)
    if (oldDay === day) add(this.#adoption, oldCell, -devices)
    add(this.#adoption, cell, devices)
    add(this.#presence, oldCell, -devices)
    add(this.#presence, cell, devices)
  }

  /** Removes a forgotten device. On past days it stays counted. */
  deviceLeft(profile: number, lastSeen: number): void {
    add(this.#presence, cellOf(profile, dayOf(lastSeen)), -1)
  }

  /** Corrects a presence cell (from `cellOf`) by `change` devices. */
  mendPresence(cell: number, change: number): void {
    add(this.#presence, cell, change)
  }

  /** Any check-in of the channel. */
  checkedIn(channelKey: number, at: number, anonymous: boolean, offered: boolean): void {
    const traffic = this.#trafficOf(channelKey, hourOf(at))
    traffic.checkIns++
    if (anonymous) traffic.anonymous++
    if (offered) traffic.offers++
  }

  /** Returns all changes, packed, and resets them. */
  take(): Pick<TelemetryBatch, 'adoption' | 'hourly' | 'presence' | 'traffic' | 'health'> {
    const taken = {
      adoption: packCells(this.#adoption, DAY_ROOM),
      hourly: packCells(this.#hourly, HOUR_ROOM),
      presence: packCells(this.#presence, DAY_ROOM),
      traffic: packTraffic(this.#traffic),
      health: this.health.take(),
    }
    this.#adoption.clear()
    this.#hourly.clear()
    this.#presence.clear()
    this.#traffic.clear()
    this.#latest = undefined
    return taken
  }

  #trafficOf(channelKey: number, hour: number): Traffic {
    if (this.#latest?.channelKey === channelKey && this.#latest.hour === hour) return this.#latest
    const key = channelKey * HOUR_ROOM + hour
    const known = this.#traffic.get(key)
    const traffic = known ?? { channelKey, hour, checkIns: 0, anonymous: 0, offers: 0 }
    if (known === undefined) this.#traffic.set(key, traffic)
    this.#latest = traffic
    return traffic
  }
}

/** A profile and a day as one number. */
export function cellOf(profile: number, day: number): number {
  return profile * DAY_ROOM + day
}

function hourCellOf(profile: number, hour: number): number {
  return profile * HOUR_ROOM + hour
}

function add(cells: Map<number, number>, cell: number, change: number): void {
  cells.set(cell, (cells.get(cell) ?? 0) + change)
}

/** `room`: the factor of the profile. */
function packCells(cells: Map<number, number>, room: number): Float64Array {
  const packed = new Float64Array(cells.size * COUNTER_WIDTH)
  let at = 0
  for (const [cell, change] of cells) {
    packed.set([Math.floor(cell / room), cell % room, change], at)
    at += COUNTER_WIDTH
  }
  return packed
}

function packTraffic(cells: Map<number, Traffic>): Float64Array {
  const packed = new Float64Array(cells.size * TRAFFIC_WIDTH)
  let at = 0
  for (const { channelKey, hour, checkIns, anonymous, offers } of cells.values()) {
    packed.set([channelKey, hour, checkIns, anonymous, offers], at)
    at += TRAFFIC_WIDTH
  }
  return packed
}
