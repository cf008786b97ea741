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
   * exceeds the limits of a device together is left out.
   */
  change(device: number, change: LabelDelta): void {
    const before = this.inMemory(device)
    if (before === undefined) {
      this.#changeUnknown(device, change)
      return
    }
    const { kept, delta } = mergeLabels(before, asSent(change), this.#maxBytes)
    if (delta === undefined) return
    this.#pending.changeLabels(device, delta, kept)
    this.#memory.table.setLabelSet(device, this.#memory.labelSets.numberOf(kept))
  }

  #changeUnknown(device: number, change: LabelDelta): void {
    const waiting = this.#pending.labelsOf(device)?.change
    const both = waiting === undefined ? change : composeDeltas(waiting, change)
    if (Object.keys(both.set).length > MAX_LABELS) return
    this.#pending.changeLabels(device, change, undefined)
  }

  /** A device's labels, none where it is not known; undefined where only the store has them. */
  inMemory(device: number): LabelMap | undefined {
    const { labelSets, table } = this.#memory
    const set = table.labelSet(device)
    return set === UNKNOWN_SET ? this.#pending.labelsOf(device)?.all : labelSets.get(set)
  }

  /** The labels of each device, in the order given; none where the device is not known. */
  async of(devices: readonly number[]): Promise<LabelMap[]> {
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
