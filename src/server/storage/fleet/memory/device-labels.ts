import type { LabelMap } from '../../../../shared/names.ts'
import { NO_LABELS } from '../../../fleet/labels.ts'
import type { TelemetryDatabase } from '../batch.ts'
import type { PendingBatch } from '../ingest/pending-batch.ts'
import type { FleetMemory } from './fleet-memory.ts'

/** The labels of devices: in memory, on their way to the store, and in the store alone. */
export class DeviceLabels {
  readonly #memory: FleetMemory
  readonly #pending: PendingBatch
  readonly #store: Pick<TelemetryDatabase, 'labels'>

  constructor(
    memory: FleetMemory,
    pending: PendingBatch,
    store: Pick<TelemetryDatabase, 'labels'>,
  ) {
    this.#memory = memory
    this.#pending = pending
    this.#store = store
  }

  /** Sets all labels of a known device. */
  set(device: number, labels: LabelMap): void {
    this.#pending.setLabels(device, labels)
    this.#memory.table.setLabelSet(device, this.#memory.labelSets.numberOf(labels))
  }

  /** A device's labels, none where it is not known; undefined where only the store has them. */
  inMemory(device: number): LabelMap | undefined {
    const { labelSets, table } = this.#memory
    return this.#pending.labelsOf(device) ?? labelSets.get(table.labelSet(device))
  }

  /** The labels of each device, in the order given; none where the device is not known. */
  async of(devices: readonly number[]): Promise<LabelMap[]> {
    // Held now: those that are committed while the store is read are in neither answer after it.
    const known = devices.map((device) => this.inMemory(device))
    if (!known.includes(undefined)) return known.map((labels) => labels ?? NO_LABELS)
    const stored = await this.#store.labels(devices)
    return devices.map(
      (device, at) => this.#pending.labelsOf(device) ?? known[at] ?? stored[at] ?? NO_LABELS,
    )
  }
}
