import { CHANGE_WIDTH } from '../batch.ts'

/** Most profile changes that wait for the writer, as many as check-ins: 10 MB. */
export const MAX_CHANGES = 262_144

/** Profile changes on their way to the store. */
export class ChangeQueue {
  #packed: number[] = []

  /** Adds a change, packed as in `TelemetryBatch.changes`. Returns false if the queue is full. */
  push(id: number, device: number, at: number, profile: number, previous: number): boolean {
    if (this.#packed.length >= MAX_CHANGES * CHANGE_WIDTH) return false
    this.#packed.push(id, device, at, profile, previous)
    return true
  }

  /** Hands over everything, oldest first. */
  take(): Float64Array {
    const taken = Float64Array.from(this.#packed)
    this.#packed = []
    return taken
  }
}
