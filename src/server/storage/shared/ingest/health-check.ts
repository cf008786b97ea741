import { deviceCell, eachWeighedCell, isOfDevices } from '../../../fleet/health/cells.ts'
import { intervalOf, phaseOf } from '../../../fleet/health/packed-episode.ts'
import { HealthCounters } from './health-counters.ts'

/**
 * Compares the stored counters of releases with the devices, as `PresenceCheck` does for presence. Cells that count what
 * was cannot be recounted, and stay.
 */
export class HealthCheck {
  readonly #missing = new HealthCounters()

  /** A stored cell. */
  stored(release: number, cell: number, devices: number): void {
    if (isOfDevices(cell)) this.#missing.add(release, cell, -devices)
  }

  /** A device in memory that has an episode. `lastSeen`: Unix ms. */
  device(release: number, progress: number, lastSeen: number, evidence: number): void {
    const [phase, interval] = [phaseOf(progress), intervalOf(progress)]
    this.#missing.add(release, deviceCell(phase, interval, lastSeen), 1)
    const count = (cell: number) => this.#missing.add(release, cell, 1)
    eachWeighedCell(phase, interval, lastSeen, evidence, count)
  }

  /** Corrects every wrong cell. Returns whether there was one. */
  repair(counters: HealthCounters): boolean {
    const missing = this.#missing.take()
    for (let at = 0; at < missing.length; at += 3) {
      counters.add(missing[at] ?? 0, missing[at + 1] ?? 0, missing[at + 2] ?? 0)
    }
    return missing.length > 0
  }
}
