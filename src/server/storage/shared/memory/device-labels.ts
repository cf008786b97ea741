import { MAX_LABELS } from '../../../../shared/devices/counting.ts'
import type { LabelMap } from '../../../../shared/names.ts'
import {
  applyDelta,
  asSent,
  composeDeltas,
  type LabelDelta,
  mergeLabels,
  NO_LABELS,
} from '../../../fleet/labels.ts'
import type { TelemetryDatabase } from '../batch.ts'
import type { PendingBatch } from '../ingest/pending-batch.ts'
import type { FleetMemory } from './fleet-memory.ts'
import { UNKNOWN_SET } from './label-sets.ts'

/** Pending label changes of a device from which on no more are accepted without a key. */
const MOST_WAITING = 2 * MAX_LABELS

/** The labels of devices: in memory, waiting for the store, or only in the store. */
export class DeviceLabels {
  readonly #memory: FleetMemory
  readonly #pending: PendingBatch
  readonly #store: Pick<TelemetryDatabase, 'labels'>
  readonly #maxBytes: number

  /** `maxBytes`: of labels per device. */
  constructor(
    memory: FleetMemory,
    pending: PendingBatch,
    store: Pick<TelemetryDatabase, 'labels'>,
    maxBytes: number,
  ) {
    this.#maxBytes = maxBytes
    this.#memory = memory
    this.#pending = pending
    this.#store = store
  }

  /**
   * Changes labels of a known device. Simultaneous checks are each merged with the same labels; changes that
   * exceed the limits of a device together are dropped. Without a key, changes that would make the pending ones
   * grow are dropped too, because nothing may be stored for hours. Labels that are only in the store are not
   * merged here, so a device may exceed its limits by one change if another is stored after its labels were
   * read. Returns whether the change was accepted.
   */
  change(device: number, change: LabelDelta, isKeyed: boolean): boolean {
    const before = this.inMemory(device)
    const waiting = this.#pending.labelsOf(device)?.change
    const isFull = before === undefined ? waiting !== undefined : sizeOf(waiting) >= MOST_WAITING
    if (isFull && !isKeyed) return false
    if (before === undefined) {
      const both = waiting === undefined ? change : composeDeltas(waiting, change)
      if (Object.keys(both.set).length > MAX_LABELS) return false
      this.#pending.changeLabels(device, change, undefined)
      return true
    }
    const { kept, delta } = mergeLabels(before, asSent(change), this.#maxBytes)
    if (delta === undefined) return true
    this.#pending.changeLabels(device, delta, kept)
    this.#memory.table.setLabelSet(device, this.#memory.labelSets.numberOf(kept))
    return true
  }

  /** Returns a device's labels, none if it is unknown; undefined if they are only in the store. */
  inMemory(device: number): LabelMap | undefined {
    const { labelSets, table } = this.#memory
    const set = table.labelSet(device)
    return set === UNKNOWN_SET ? this.#pending.labelsOf(device)?.all : labelSets.get(set)
  }

  /** Returns the labels of each device, in the given order; none if the device is unknown. */
  async of(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]> {
    const devices = deviceIds.map((deviceId) => this.#memory.find(appKey, deviceId))
    // Read before the store: labels that are committed meanwhile could otherwise be in neither.
    const known = devices.map((device) => this.inMemory(device))
    if (!known.includes(undefined)) return known.map((labels) => labels ?? NO_LABELS)
    const pending = devices.map((device) => this.#pending.labelsOf(device)?.change)
    const stored = await this.#store.labels(devices)
    return devices.map((device, at) => {
      const before = known[at] ?? stored[at] ?? NO_LABELS
      const change = this.#pending.labelsOf(device)?.change ?? pending[at]
      return change === undefined ? before : applyDelta(before, change)
    })
  }
}

function sizeOf(change: LabelDelta | undefined): number {
  return change === undefined ? 0 : Object.keys(change.set).length + change.remove.length
}
