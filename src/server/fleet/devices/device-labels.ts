import type { LabelMap } from '../../../shared/names.ts'
import type { FleetMemory } from '../memory.ts'
import type { FleetReads } from '../store.ts'
import { NO_LABELS } from './labels.ts'

/** The labels of devices: in memory, on their way to the store, and in the store alone. */
export class DeviceLabels {
  readonly #memory: FleetMemory
  readonly #store: Pick<FleetReads, 'labels'>
  /** Changed labels that are not committed yet. */
  readonly #changed = new Map<number, LabelMap>()

  constructor(memory: FleetMemory, store: Pick<FleetReads, 'labels'>) {
    this.#memory = memory
    this.#store = store
  }

  /** What is not committed yet: all labels of each device. */
  get changed(): readonly (readonly [device: number, labels: LabelMap])[] {
    return [...this.#changed]
  }

  /** Sets all labels of a known device. */
  set(device: number, labels: LabelMap): void {
    this.#changed.set(device, labels)
    this.#memory.table.setLabelSet(device, this.#memory.labelSets.numberOf(labels))
  }

  /** Forgets a device and its pending labels. */
  forget(device: number): void {
    this.#changed.delete(device)
  }

  /** These are in the store now; a device's that changed meanwhile are not. */
  committed(labels: readonly (readonly [device: number, labels: LabelMap])[]): void {
    for (const [device, stored] of labels) {
      if (this.#changed.get(device) === stored) this.#changed.delete(device)
    }
  }

  /** A device's labels, none where it is not known; undefined where only the store has them. */
  inMemory(device: number): LabelMap | undefined {
    const { labelSets, table } = this.#memory
    return this.#changed.get(device) ?? labelSets.get(table.labelSet(device))
  }

  /** The labels of each device, in the order given; none where the device is not known. */
  async of(devices: readonly number[]): Promise<LabelMap[]> {
    // Held now: those that are committed while the store is read are in neither answer after it.
    const known = devices.map((device) => this.inMemory(device))
    if (!known.includes(undefined)) return known.map((labels) => labels ?? NO_LABELS)
    const stored = await this.#store.labels(devices)
    return devices.map(
      (device, at) => this.#changed.get(device) ?? known[at] ?? stored[at] ?? NO_LABELS,
    )
  }
}
