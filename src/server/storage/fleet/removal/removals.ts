import type { PendingBatch } from '../ingest/pending-batch.ts'
import type { TelemetryWriter } from '../ingest/writer.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'
import type { ClosedChannels } from './closed-channels.ts'

/** Deletes stored devices and channels; `Removals.run` has the order. */
export interface RemovalSteps {
  /** Deletes some of the devices. Rejects when it did not. */
  deleteDevices(devices: Int32Array): Promise<void>
  /**
   * Deletes the channels with all that they have and the devices that are left, all or nothing.
   * Answers false if it refused.
   */
  commit(devices: Int32Array): Promise<boolean>
}

/** Most devices that go in the one transaction: some tenths of a second, while nobody can write. */
const MOST_AT_ONCE = 20_000
const SLICE = 10_000

/**
 * Takes the devices of channels out of the fleet while checks go on. No check-in that comes in
 * between may bring a device, a profile or a counter back to what is not there any more.
 */
export class Removals {
  readonly #memory: FleetMemory
  readonly #pending: PendingBatch
  readonly #writer: TelemetryWriter
  readonly #channels: ClosedChannels

  constructor(
    memory: FleetMemory,
    pending: PendingBatch,
    writer: TelemetryWriter,
    channels: ClosedChannels,
  ) {
    this.#memory = memory
    this.#pending = pending
    this.#writer = writer
    this.#channels = channels
  }

  /**
   * Closes the channels, waits until all that they have is stored, lets `commit` delete it while
   * nothing is written, and forgets the devices. Of a large fleet most devices are deleted before,
   * slice by slice between the batches. Answers what `commit` did.
   *
   * Where a step refuses or fails, the fleet goes on with the devices that are left; what they
   * sent meanwhile is not counted.
   */
  async run(channelKeys: readonly number[], steps: RemovalSteps): Promise<boolean> {
    const closing = new Set(channelKeys)
    this.#channels.close(closing)
    try {
      await this.#writer.settled()
      // Nothing changes them until they are forgotten: `ClosedChannels.refuses` sees to it.
      const devices = this.#memory.devicesOn(closing)
      let deleted = 0
      let removed = false
      try {
        while (devices.length - deleted > MOST_AT_ONCE) {
          await steps.deleteDevices(devices.slice(deleted, deleted + SLICE))
          deleted += SLICE
        }
        removed = await this.#writer.alone(() => steps.commit(devices.slice(deleted)))
      } finally {
        if (removed) this.#channels.remove(closing)
        await this.#forget(removed ? devices : devices.subarray(0, deleted), !removed)
        if (removed) for (const channelKey of closing) this.#memory.profiles.drop(channelKey)
      }
      return removed
    } finally {
      this.#channels.open(closing)
    }
  }

  /** `counted`: the counters that stay have them still. */
  async #forget(devices: Int32Array, counted: boolean): Promise<void> {
    if (devices.length === 0) return
    const { table } = this.#memory
    if (counted) {
      for (const device of devices) {
        this.#pending.counters.deviceLeft(table.profile(device), table.lastSeen(device))
      }
    }
    await this.#memory.forget(devices)
  }
}
