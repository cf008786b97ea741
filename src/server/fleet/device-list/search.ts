import { UNKNOWN_SET } from '../label-sets.ts'
import { BitSet } from './bit-set.ts'
import type { DeviceColumns, PreparedSearch } from './matching.ts'
import type { DeviceListQuery, DeviceSearch, LabelSearch } from './query.ts'
import type { DeviceListSource } from './source.ts'

/** Up to so many devices are looked up one by one, instead of reading all of them. */
export const FEW = 4_000

/** Prepares what is searched for. Remembers the last beginning of ids: who reads on asks for the same. */
export class Searches {
  readonly #source: DeviceListSource
  #beginning = { appKey: 0, prefix: '', highest: 0, devices: new BitSet() }

  constructor(source: DeviceListSource) {
    this.#source = source
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
    const unknown = unknownSets(devices, highest, accepted)
    return { ids, sets: label.sets, unknownSets: this.#withLabel(appKey, label, unknown) }
  }

  /** A device id never changes, so that only devices that came since have to be looked at. */
  #beginningWith(appKey: number, { prefix }: DeviceSearch, highest: number): BitSet {
    const known = this.#beginning
    if (known.appKey !== appKey || known.prefix !== prefix) {
      this.#beginning = { appKey, prefix, highest: 0, devices: new BitSet() }
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
    if (unknown.length > FEW) {
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

/** Devices of accepted profiles whose labels are in the store alone; one more than a few at most. */
function unknownSets(devices: DeviceColumns, highest: number, accepted: Uint8Array): number[] {
  const unknown: number[] = []
  for (let device = 1; device <= highest && unknown.length <= FEW; device++) {
    if (devices.labelSet(device) !== UNKNOWN_SET) continue
    if (accepted[devices.profile(device)] === 2) unknown.push(device)
  }
  return unknown
}
