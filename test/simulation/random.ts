/** A repeatable source of chance (xorshift). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) | 1
    // Seeds that are close to each other begin with numbers that are.
    for (let i = 0; i < 8; i += 1) this.#next()
  }

  /** Returns a source that goes on with the same numbers. */
  fork(): Chance {
    const fork = new Chance(0)
    fork.#state = this.#state
    return fork
  }

  #next(): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return this.#state >>> 0
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
