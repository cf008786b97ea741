import { type Conditions, type DeviceColumns, isListed } from './matching.ts'

/** A device and its sort key. */
interface Entry {
  readonly device: number
  readonly key: number
}

/**
 * Keeps the first few of many entries by key, and by device if keys are equal: a heap with the last of them on
 * top, so that most entries cost one comparison.
 */
class Nearest {
  readonly #keys: Float64Array
  readonly #devices: Float64Array
  readonly #limit: number
  readonly #sign: 1 | -1
  #size = 0

  /** `limit`: how many are kept, 1 or more. `descending`: highest first. */
  constructor(limit: number, descending: boolean) {
    this.#limit = limit
    this.#keys = new Float64Array(limit)
    this.#devices = new Float64Array(limit)
    this.#sign = descending ? -1 : 1
  }

  offer(key: number, device: number): void {
    // Negated keys turn descending into ascending order.
    const turnedKey = key * this.#sign
    const turnedDevice = device * this.#sign
    if (this.#size < this.#limit) {
      this.#rise(this.#size++, turnedKey, turnedDevice)
    } else if (this.#isAbove(0, turnedKey, turnedDevice)) {
      this.#sink(turnedKey, turnedDevice)
    }
  }

  /** The kept entries, in order. */
  inOrder(): Entry[] {
    const entries = Array.from({ length: this.#size }, (_, at) => ({
      key: this.#key(at),
      device: this.#device(at),
    }))
    entries.sort((a, b) => a.key - b.key || a.device - b.device)
    return entries.map(({ key, device }) => ({
      key: key * this.#sign,
      device: device * this.#sign,
    }))
  }

  #key(at: number): number {
    return this.#keys[at] ?? 0
  }

  #device(at: number): number {
    return this.#devices[at] ?? 0
  }

  /** Returns whether the entry at `at` comes after the given one. */
  #isAbove(at: number, key: number, device: number): boolean {
    const other = this.#key(at)
    return other > key || (other === key && this.#device(at) > device)
  }

  #put(at: number, key: number, device: number): void {
    this.#keys[at] = key
    this.#devices[at] = device
  }

  #rise(from: number, key: number, device: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (this.#isAbove(parent, key, device)) break
      this.#put(at, this.#key(parent), this.#device(parent))
      at = parent
    }
    this.#put(at, key, device)
  }

  #sink(key: number, device: number): void {
    let at = 0
    for (;;) {
      const left = at * 2 + 1
      if (left >= this.#size) break
      const right = left + 1
      const higher =
        right < this.#size && this.#isAbove(right, this.#key(left), this.#device(left))
          ? right
          : left
      if (!this.#isAbove(higher, key, device)) break
      this.#put(at, this.#key(higher), this.#device(higher))
      at = higher
    }
    this.#put(at, key, device)
  }
}

/** Devices of a sample. */
const SAMPLE = 4_000

export interface Selection {
  readonly conditions: Conditions
  /** The highest number to check. */
  readonly highest: number
  /** The sort key of the list. */
  keyOf(device: number): number
  readonly descending: boolean
  /** Where the previous page ended, or the next page began. */
  readonly cursor: Entry | undefined
  readonly backward: boolean
  readonly limit: number
}

export interface Selected {
  /** In the order of the list, in whichever direction it was read. */
  readonly entries: readonly Entry[]
  readonly total: number
  /** Matching devices before the first entry, and after the last. */
  readonly before: number
  readonly after: number
}

/**
 * Finds a page of devices in one pass over all of them. Keeps at most `limit` entries. A sample gives a key
 * beyond which devices are skipped, so the order of the devices does not affect the cost.
 */
export function select(devices: DeviceColumns, selection: Selection): Selected {
  const { conditions, highest, cursor, backward, limit } = selection
  const descending = selection.descending !== backward
  const bound = boundOf(devices, selection, descending)
  const nearest = new Nearest(limit, descending)
  let total = 0
  let passed = 0
  for (let device = 1; device <= highest; device++) {
    if (!isListed(devices, device, conditions)) continue
    total++
    const key = selection.keyOf(device)
    if (cursor !== undefined && !isBeyond(cursor, key, device, descending)) passed++
    else if (descending ? key >= bound : key <= bound) nearest.offer(key, device)
  }
  const entries = nearest.inOrder()
  const rest = total - passed - entries.length
  return backward
    ? { entries: entries.reverse(), total, before: rest, after: passed }
    : { entries, total, before: passed, after: rest }
}

/** A key beyond which no entry of the page can be: the key of the last entry of a page of a sample. */
function boundOf(
  devices: DeviceColumns,
  { conditions, highest, keyOf, cursor, limit }: Selection,
  descending: boolean,
): number {
  const none = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const step = Math.floor(highest / SAMPLE)
  // If the sample is nearly all devices, a device that is seen again meanwhile would be missing from the page.
  if (step < 4) return none
  const nearest = new Nearest(limit, descending)
  for (let device = 1; device <= highest; device += step) {
    if (!isListed(devices, device, conditions)) continue
    const key = keyOf(device)
    if (cursor !== undefined && !isBeyond(cursor, key, device, descending)) continue
    nearest.offer(key, device)
  }
  return nearest.inOrder()[limit - 1]?.key ?? none
}

function isBeyond(cursor: Entry, key: number, device: number, descending: boolean): boolean {
  const distance = key === cursor.key ? device - cursor.device : key - cursor.key
  return descending ? distance < 0 : distance > 0
}
