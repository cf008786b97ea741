import type { ClosedChannels } from '../../../shared/ingest/closed-channels.ts'
import type { Episodes } from '../../../shared/ingest/episodes.ts'
import type { PendingBatch } from '../../../shared/ingest/pending-batch.ts'
import type { TelemetryWriter } from '../../../shared/ingest/writer.ts'
import type { FleetMemory } from '../../../shared/memory/fleet-memory.ts'

/** Deletes stored devices and channels; `Removals.run` has the order. */
export interface RemovalSteps {
  /** Deletes some of the devices. Rejects if that fails. */
  deleteDevices(devices: Int32Array): Promise<void>
  /**
   * Deletes the channels with all their data and the remaining devices, all or nothing. Returns false if the
   * store refuses.
   */
  commit(devices: Int32Array): Promise<boolean>
}

interface RemovalParts {
  readonly memory: FleetMemory
  readonly pending: PendingBatch
  readonly writer: TelemetryWriter
  readonly channels: ClosedChannels
  readonly episodes: Episodes
}

/** Maximum devices deleted in the one transaction: some tenths of a second during which nobody can write. */
const MOST_AT_ONCE = 20_000
const SLICE = 10_000

/**
 * Removes the devices of channels from the fleet while checks continue. No check-in meanwhile may restore a
 * device, a profile or a counter of a removed channel.
 */
export class Removals {
  readonly #parts: RemovalParts

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  /**
   * Closes the channels, waits until all their data is stored, lets `commit` delete it while nothing is
   * written, and removes the devices from memory. Most devices of a large fleet are deleted before, slice by
   * slice between the batches. Returns what `commit` returned.
   *
   * If a step is refused or fails, the fleet continues with the remaining devices. What they sent meanwhile is
   * not counted.
   */
  async run(channelKeys: readonly number[], steps: RemovalSteps): Promise<boolean> {
    const closing = new Set(channelKeys)
    this.#parts.channels.close(closing)
    try {
      await this.#parts.writer.settled()
      // `ClosedChannels.refuses` ensures that nothing changes them until they are removed.
      const devices = this.#parts.memory.devicesOn(closing)
      let deleted = 0
      let removed = false
      try {
        while (devices.length - deleted > MOST_AT_ONCE) {
          await steps.deleteDevices(devices.slice(deleted, deleted + SLICE))
          deleted += SLICE
        }
        removed = await this.#parts.writer.alone(() => steps.commit(devices.slice(deleted)))
      } finally {
        if (removed) this.#parts.channels.remove(closing)
        await this.#forget(removed ? devices : devices.subarray(0, deleted), !removed)
        if (removed) for (const channelKey of closing) this.#parts.memory.drop(channelKey)
      }
      return removed
    } finally {
      this.#parts.channels.open(closing)
    }
  }

  /** `counted`: the remaining counters still include them. */
  async #forget(devices: Int32Array, counted: boolean): Promise<void> {
    if (devices.length === 0) return
    const { table } = this.#parts.memory
    if (counted) {
      for (const device of devices) {
        this.#parts.pending.counters.deviceLeft(table.profile(device), table.lastSeen(device))
        this.#parts.episodes.left(device)
      }
    }
    await this.#parts.memory.forget(devices)
  }
}
