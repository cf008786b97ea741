import { type LabelMap, MAX_LABELS } from '../../../../shared/names.ts'
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

/** Labels set and removed of a device that wait, from which on no more are taken without a key. */
const MOST_WAITING = 2 * MAX_LABELS

/** The labels of devices: in memory, on their way to the store, and in the store alone. */
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
   * Changes labels of a known device. Two checks at once were each merged over the same labels: what
   * exceeds the limits of a device together is left out. Without a key, so is what would make the changes
   * that wait grow, because nothing may be stored for hours. Labels that only the store has are not merged
   * over here: a device may exceed its limits by one change, where another is stored between the time its labels
   * were read and this. Returns whether the change was taken.
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

  /** A device's labels, none if it is not known; undefined if only the store has them. */
  inMemory(device: number): LabelMap | undefined {
    const { labelSets, table } = this.#memory
    const set = table.labelSet(device)
    return set === UNKNOWN_SET ? this.#pending.labelsOf(device)?.all : labelSets.get(set)
  }

  /** The labels of each device, in the order given; none if the device is not known. */
  async of(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]> {
    const devices = deviceIds.map((deviceId) => this.#memory.find(appKey, deviceId))
    // Held now: what is committed while the store is read may be in neither after it.
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
