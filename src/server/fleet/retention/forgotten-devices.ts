import type { DeviceLabels } from '../devices/device-labels.ts'
import type { CheckInQueue } from '../ingest/check-in-queue.ts'
import type { FleetMemory } from '../memory.ts'
import type { DeviceName, TelemetryBatch } from '../store.ts'
import type { Removals } from './removals.ts'

/** A device that was not seen for a long time, as it was found. */
export interface StaleDevice extends DeviceName {
  readonly device: number
  /** Unix time in milliseconds. */
  readonly lastSeen: number
}

/**
 * Removes single devices from the fleet while checks continue. A device leaves memory immediately and
 * the store with the next batch, counters included, so a later check creates a new device and never
 * restores part of the old one.
 */
export class ForgottenDevices {
  readonly #memory: FleetMemory
  readonly #labels: DeviceLabels
  readonly #removals: Removals
  readonly #queue: Pick<CheckInQueue, 'lastId'>
  /** By app and id: a request is heard again and again while nothing can be written. */
  readonly #erased = new Map<string, DeviceName>()

  constructor(
    memory: FleetMemory,
    labels: DeviceLabels,
    removals: Removals,
    queue: Pick<CheckInQueue, 'lastId'>,
  ) {
    this.#queue = queue
    this.#memory = memory
    this.#labels = labels
    this.#removals = removals
  }

  /** Forgets those not seen since then. Returns how many; 0 while a channel is being removed. */
  forgetStale(stale: readonly StaleDevice[]): number {
    if (this.#removals.running) return 0
    const { table } = this.#memory
    let forgotten = 0
    for (const { appKey, deviceId, device, lastSeen } of stale) {
      if (this.#memory.find(appKey, deviceId) !== device) continue
      if (table.lastSeen(device) !== lastSeen) continue
      this.#forget(appKey, deviceId)
      forgotten++
    }
    return forgotten
  }

  /**
   * Forgets a device that someone asked to forget, and removes the request from the list.
   * Returns false while a channel is being removed: try again later.
   */
  erase(name: DeviceName): boolean {
    if (this.#removals.running) return false
    this.#forget(name.appKey, name.deviceId)
    this.#erased.set(`${name.appKey} ${name.deviceId}`, name)
    return true
  }

  /** True if there is something to write with the next batch. */
  get waiting(): boolean {
    return this.#memory.hasGone || this.#erased.size > 0
  }

  /** Hands over the devices to delete. */
  take(): Pick<TelemetryBatch, 'gone' | 'erased'> {
    const erased = [...this.#erased.values()]
    this.#erased.clear()
    return { gone: this.#memory.takeGone(), erased }
  }

  #forget(appKey: number, deviceId: string): void {
    const device = this.#memory.forgetOne(appKey, deviceId, this.#queue.lastId + 1)
    if (device !== 0) this.#labels.forget(device)
  }
}
