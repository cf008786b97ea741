/**
 * A source of chance that repeats itself for a seed (splitmix32). Not for secrets. Each device has
 * one of its own, so that what one does changes nothing for the others.
 */
export class Random {
  #state: number

  /** `seed`: any integer; the lowest 32 bits count. */
  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 to below 1. */
  next(): number {
    return this.#bits() / 2 ** 32
  }

  /** From `from` to below `to`. */
  between(from: number, to: number): number {
    return from + this.next() * (to - from)
  }

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  /** True in that share of all cases, 0 to 1. */
  chance(share: number): boolean {
    return this.next() < share
  }

  /** Time to the next of events that come `mean` apart on average. */
  wait(mean: number): number {
    return -Math.log(1 - this.next()) * mean
  }

  /** One of the items, each as likely as its share of the weights. Throws a RangeError for none. */
  pick<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
    let left = this.next() * items.reduce((total, { weight }) => total + weight, 0)
    for (const item of items) {
      left -= item.weight
      if (left < 0) return item
    }
    const last = items.at(-1)
    if (last === undefined) throw new RangeError('nothing to pick from')
    return last
  }

  /** That many bytes. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length }, () => this.below(256))
  }

  /** Another source, which depends on this one's present state. */
  fork(): Random {
    return new Random(this.#bits())
  }

  #bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let bits = this.#state ^ (this.#state >>> 16)
    bits = Math.imul(bits, 0x21f0aaad)
    bits ^= bits >>> 15
    bits = Math.imul(bits, 0x735a2d97)
    return (bits ^ (bits >>> 15)) >>> 0
  }
}
