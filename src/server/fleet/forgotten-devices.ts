import type { CheckInQueue } from './check-in-queue.ts'
import type { DeviceLabels } from './device-labels.ts'
import type { FleetMemory } from './memory.ts'
import type { Removals } from './removals.ts'
import type { DeviceName, TelemetryBatch } from './store.ts'

/** A device that was not seen for long, as it was found. */
export interface StaleDevice extends DeviceName {
  readonly device: number
  /** Unix time in milliseconds. */
  readonly lastSeen: number
}

/**
 * Takes single devices out of the fleet while checks go on. A device leaves memory at once and the
 * store with the next batch, counters included, so a check that comes after it makes a new device
 * and none brings half of the old one back.
 */
export class ForgottenDevices {
  readonly #memory: FleetMemory
  readonly #labels: DeviceLabels
  readonly #removals: Removals
  readonly #queue: Pick<CheckInQueue, 'lastId'>
  #erased: DeviceName[] = []

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

  /** Forgets those that were not seen since. Returns how many; none while a channel is removed. */
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
   * Forgets a device that someone asked to forget, and takes the request off the list. Answers
   * false while a channel is being removed: ask again later.
   */
  erase(name: DeviceName): boolean {
    if (this.#removals.running) return false
    this.#forget(name.appKey, name.deviceId)
    this.#erased.push(name)
    return true
  }

  /** True if a batch has something of it to write. */
  get waiting(): boolean {
    return this.#memory.hasGone || this.#erased.length > 0
  }

  /** Hands over what is to be deleted. */
  take(): Pick<TelemetryBatch, 'gone' | 'erased'> {
    const erased = this.#erased
    this.#erased = []
    return { gone: this.#memory.takeGone(), erased }
  }

  #forget(appKey: number, deviceId: string): void {
    const device = this.#memory.forgetOne(appKey, deviceId, this.#queue.lastId + 1)
    if (device !== 0) this.#labels.forget(device)
  }
}
