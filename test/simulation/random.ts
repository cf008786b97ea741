/** A repeatable source of chance: an xorshift, which begins again after 2^32 numbers. */
export class Chance {
  #state: number
  #added = 0
  readonly #step: number

  /** `isLong`: begins again after 2^64 numbers, so that simulations that draw billions with many seeds do not meet. */
  constructor(seed: number, isLong = false) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) | 1
    this.#step = isLong ? 0x6c078965 : 0
    if (isLong) this.#added = Math.imul(seed + 1, 0x85ebca6b)
    // Seeds that are close to each other begin with numbers that are.
    for (let i = 0; i < 8; i += 1) this.#next()
  }

  /** Returns a source that goes on with the same numbers. */
  fork(): Chance {
    const fork = new Chance(0, this.#step > 0)
    fork.#state = this.#state
    fork.#added = this.#added
    return fork
  }

  #next(): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    this.#added = (this.#added + this.#step) | 0
    return (this.#state + this.#added) >>> 0
  }

  /** Returns a number from 0 to below 1. */
  share(): number {
    return this.#next() / 2 ** 32
  }

  is(probability: number): boolean {
    return this.share() < probability
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.share()
  }

  /** Returns a whole number from `low` to `high`, small ones as often as large ones by their order of magnitude. */
  magnitude(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.share())
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.share())
  }

  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.share()))
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.share())
  }

  /** Returns of how many of `all` something is that is of each with that probability. */
  count(all: number, probability: number): number {
    let count = 0
    for (let each = 0; each < all; each += 1) if (this.is(probability)) count += 1
    return count
  }

  /** Returns one of the items, each as often as the others. */
  oneOf<Item>(items: readonly Item[]): Item {
    return this.pick(items.map((item) => [1, item]))
  }

  /** Returns one of the items, each as often as its weight says. */
  pick<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item {
    const total = items.reduce((sum, [weight]) => sum + weight, 0)
    let rest = this.share() * total
    for (const [weight, item] of items) {
      rest -= weight
      if (rest < 0) return item
    }
    const last = items.at(-1)
    if (last === undefined) throw new Error('nothing to pick from')
    return last[1]
  }
}
