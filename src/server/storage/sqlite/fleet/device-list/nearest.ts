/** A device and its sort key. */
export interface Entry {
  readonly device: number
  readonly key: number
}

/**
 * Keeps the first few of many entries by key, and by device if keys are equal: a heap with the last of them on
 * top, so that most entries cost one comparison.
 */
export class Nearest {
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
