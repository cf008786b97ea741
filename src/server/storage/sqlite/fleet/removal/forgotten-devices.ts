import type { DeviceName } from '../../../../fleet/facts.ts'
import type { ClosedChannels } from '../../../shared/ingest/closed-channels.ts'
import type { DeviceMoves } from '../../../shared/ingest/device-moves.ts'
import type { PendingBatch } from '../../../shared/ingest/pending-batch.ts'
import type { TelemetryWriter } from '../../../shared/ingest/writer.ts'
import type { FleetMemory } from '../../../shared/memory/fleet-memory.ts'

/** A device that was not seen for a long time, as of the search. */
export interface StaleDevice extends DeviceName {
  readonly device: number
  /** Unix time in milliseconds. */
  readonly lastSeen: number
}

interface ForgottenParts {
  readonly memory: FleetMemory
  readonly pending: PendingBatch
  readonly moves: DeviceMoves
  readonly channels: ClosedChannels
  readonly writer: TelemetryWriter
}

/**
 * Removes single devices from the fleet while checks continue. A device leaves memory immediately and
 * the store with the next batch, counters included, so a later check creates a new device and never
 * restores part of the old one.
 */
export class ForgottenDevices {
  readonly #parts: ForgottenParts

  constructor(parts: ForgottenParts) {
    this.#parts = parts
  }

  /** Forgets those not seen since then. Returns how many; 0 while a channel is being removed. */
  forgetStale(stale: readonly StaleDevice[]): number {
    if (this.#parts.channels.areClosing) return 0
    const { table } = this.#parts.memory
    let forgotten = 0
    for (const { appKey, deviceId, device, lastSeen } of stale) {
      if (this.#parts.memory.find(appKey, deviceId) !== device) continue
      if (table.lastSeen(device) !== lastSeen) continue
      this.#parts.moves.left(appKey, deviceId)
      forgotten++
    }
    if (forgotten > 0) this.#parts.writer.notify()
    return forgotten
  }

  /**
   * Forgets a device that someone asked to forget, and removes the request from the list.
   * Returns false while a channel is being removed: try again later.
   */
  erase(name: DeviceName): boolean {
    if (this.#parts.channels.areClosing) return false
    const { appKey, deviceId } = name
    if (this.#parts.memory.find(appKey, deviceId) !== 0) this.#parts.moves.left(appKey, deviceId)
    this.#parts.pending.carriedOut(name)
    this.#parts.writer.notify()
    return true
  }
}
