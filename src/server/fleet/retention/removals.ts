import type { TelemetryWriter } from '../ingest/writer.ts'
import type { FleetMemory } from '../memory.ts'
import type { InstallProfile } from '../store.ts'

/** Deletes what is stored, as `Removals.run` says when. */
export interface RemovalSteps {
  /** Deletes some of the devices. Rejects where it did not. */
  deleteDevices(devices: Int32Array): Promise<void>
  /**
   * Deletes the channels with all that they have and the devices that are left, all or nothing.
   * Answers false where it refused.
   */
  commit(devices: Int32Array): Promise<boolean>
}

/** Most devices that go in the one transaction: some tenths of a second, while nobody can write. */
const MOST_AT_ONCE = 20_000
const SLICE = 10_000

/**
 * Takes the devices of channels out of the fleet while checks go on. No heartbeat that comes in
 * between may bring a device, a profile or a counter back to what is not there any more.
 */
export class Removals {
  readonly #memory: FleetMemory
  readonly #writer: TelemetryWriter
  /** Channels that are being removed. */
  readonly #closing = new Set<number>()
  /** Channels that were removed. Requests that began before may still name them. */
  readonly #removed = new Set<number>()

  /** False as long as nothing was ever removed, which costs a heartbeat nothing. */
  #began = false

  constructor(memory: FleetMemory, writer: TelemetryWriter) {
    this.#memory = memory
    this.#writer = writer
  }

  /**
   * Tells whether a heartbeat must not be taken in: of a removed channel, or of a device that is
   * about to be forgotten, on whatever channel.
   */
  refuses(channelKey: number, appKey: number, deviceId: string | null): boolean {
    if (!this.#began) return false
    if (this.#removed.has(channelKey)) return true
    if (this.#closing.size === 0) return false
    if (this.#closing.has(channelKey)) return true
    if (deviceId === null) return false
    const { profiles, table } = this.#memory
    const known = profiles.get(table.profile(this.#memory.find(appKey, deviceId)))
    return known !== undefined && this.#closing.has(known.channelKey)
  }

  /** False as long as `refuses` refuses nothing. */
  get mayRefuse(): boolean {
    return this.#began
  }

  /** True while channels are being removed. */
  get running(): boolean {
    return this.#closing.size > 0
  }

  /** Returns whether the channel is being removed or was. */
  touches(channelKey: number): boolean {
    return this.#closing.has(channelKey) || this.#removed.has(channelKey)
  }

  /** A late request may have made a profile of a removed channel: it must not be stored. */
  withoutRemoved<Changes extends { readonly profiles: readonly InstallProfile[] }>(
    changes: Changes,
  ): Changes {
    if (this.#removed.size === 0) return changes
    const profiles = changes.profiles.filter(({ channelKey }) => !this.#removed.has(channelKey))
    return { ...changes, profiles }
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
    this.#began = true
    for (const channelKey of closing) this.#closing.add(channelKey)
    try {
      await this.#writer.settled()
      // Nothing changes them until they are forgotten: `refuses` sees to it.
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
        if (removed) for (const channelKey of closing) this.#removed.add(channelKey)
        await this.#forget(removed ? devices : devices.subarray(0, deleted), !removed)
        if (removed) for (const channelKey of closing) this.#memory.profiles.drop(channelKey)
      }
      return removed
    } finally {
      for (const channelKey of closing) this.#closing.delete(channelKey)
    }
  }

  /** `counted`: the counters that stay have them still. */
  async #forget(devices: Int32Array, counted: boolean): Promise<void> {
    if (devices.length === 0) return
    const { counters, table } = this.#memory
    if (counted) {
      for (const device of devices) {
        counters.deviceLeft(table.profile(device), table.lastSeen(device))
      }
    }
    await this.#memory.forget(devices)
  }
}
