import { UNKNOWN_SET } from '../../../shared/memory/label-sets.ts'
import type { DeviceListSource } from '../reads/device-list-source.ts'
import { BitSet, type DeviceColumns, type PreparedSearch } from './matching.ts'
import type { DeviceListQuery, DeviceListSearch, LabelSearch } from './query.ts'

/** Prepares searches. Caches the last id prefix, because the next page uses the same one. */
export class Searches {
  readonly #source: DeviceListSource
  readonly #few: number
  #beginning = { appKey: 0, prefix: '', reused: 0, highest: 0, devices: new BitSet() }

  /** Up to `few` devices are looked up one by one, instead of reading all of them. */
  constructor(source: DeviceListSource, few: number) {
    this.#source = source
    this.#few = few
  }

  /** `accepted`: as `Conditions.profiles`. */
  prepare(
    { appKey, search }: Pick<DeviceListQuery, 'appKey' | 'search'>,
    devices: DeviceColumns,
    highest: number,
    accepted: Uint8Array,
  ): PreparedSearch | undefined {
    if (search === undefined) return undefined
    const ids = this.#beginningWith(appKey, search, highest)
    const { label } = search
    if (label === undefined) return { ids, sets: undefined, unknownSets: new BitSet() }
    const unknown = unknownSets(devices, highest, accepted, this.#few)
    return { ids, sets: label.sets, unknownSets: this.#withLabel(appKey, label, unknown) }
  }

  /**
   * A device id never changes, so only devices added since then need to be checked, unless a number
   * was reused.
   */
  #beginningWith(appKey: number, { prefix }: DeviceListSearch, highest: number): BitSet {
    const known = this.#beginning
    const reused = this.#source.reused()
    if (known.appKey !== appKey || known.prefix !== prefix || known.reused !== reused) {
      this.#beginning = { appKey, prefix, reused, highest: 0, devices: new BitSet() }
    }
    const { devices, highest: above } = this.#beginning
    if (highest > above) {
      for (const device of this.#source.beginningWith(appKey, prefix, above)) devices.add(device)
      this.#beginning.highest = highest
    }
    return devices
  }

  #withLabel(appKey: number, { key, value }: LabelSearch, unknown: readonly number[]): BitSet {
    const found = new BitSet()
    if (unknown.length > this.#few) {
      for (const device of this.#source.withLabel(appKey, key, value)) found.add(device)
      return found
    }
    for (const device of unknown) {
      const labels = this.#source.stored(device)?.labels ?? {}
      if (!Object.hasOwn(labels, key)) continue
      if (value === undefined || labels[key] === value) found.add(device)
    }
    return found
  }
}

/** Devices of accepted profiles whose labels are only in the store; at most one more than `few`. */
function unknownSets(
  devices: DeviceColumns,
  highest: number,
  accepted: Uint8Array,
  few: number,
): number[] {
  const unknown: number[] = []
  for (let device = 1; device <= highest && unknown.length <= few; device++) {
    if (devices.labelSet(device) !== UNKNOWN_SET) continue
    if (accepted[devices.profile(device)] === 2) unknown.push(device)
  }
  return unknown
}
