import { dayOf } from '../../../fleet/time.ts'
import { type Counters, cellOf } from './counters.ts'

/**
 * Compares the stored presence counter with the devices, cell by cell. They differ only if check-ins were lost
 * before a crash. Without a correction, the difference would never go away.
 */
export class PresenceCheck {
  readonly #missing = new Map<number, number>()

  /** A stored cell. */
  stored(profile: number, day: number, devices: number): void {
    this.#add(cellOf(profile, day), -devices)
  }

  /** A device in memory. `lastSeen`: Unix milliseconds. */
  device(profile: number, lastSeen: number): void {
    this.#add(cellOf(profile, dayOf(lastSeen)), 1)
  }

  /** Corrects every wrong cell. Returns whether there was one. */
  repair(counters: Counters): boolean {
    let repaired = false
    for (const [cell, change] of this.#missing) {
      if (change === 0) continue
      counters.mendPresence(cell, change)
      repaired = true
    }
    return repaired
  }

  #add(cell: number, change: number): void {
    this.#missing.set(cell, (this.#missing.get(cell) ?? 0) + change)
  }
}
