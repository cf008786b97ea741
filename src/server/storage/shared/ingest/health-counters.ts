import { COUNTER_WIDTH } from '../batch.ts'

/** Cells per release: hours fit until the year 2926. */
const CELL_ROOM = 2 ** 23

/**
 * Changes of the counters of releases since they were last taken; `fleet/health/cells.ts` says what is counted. Every move
 * of a device updates them, so no device is ever read to count.
 */
export class HealthCounters {
  readonly #cells = new Map<number, number>()

  /** Adds to a cell of a release. */
  add(release: number, cell: number, change: number): void {
    const key = release * CELL_ROOM + cell
    this.#cells.set(key, (this.#cells.get(key) ?? 0) + change)
  }

  /** Returns all changes, packed, and resets them. */
  take(): Float64Array {
    const packed = new Float64Array(this.#cells.size * COUNTER_WIDTH)
    let at = 0
    for (const [key, change] of this.#cells) {
      if (change === 0) continue
      packed[at] = Math.floor(key / CELL_ROOM)
      packed[at + 1] = key % CELL_ROOM
      packed[at + 2] = change
      at += COUNTER_WIDTH
    }
    this.#cells.clear()
    return packed.subarray(0, at)
  }
}
