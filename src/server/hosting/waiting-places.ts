/** Somebody who waits for a place, in the name of a network. */
export interface Waiting {
  readonly network: string
  /** Ends the wait: there is no place. */
  refuse(): void
}

/**
 * Who waits, by network. When all waiting places are taken, the network that waits with most gives way to one that
 * waits with fewer, so that no network keeps the others out.
 */
export class WaitingPlaces<T extends Waiting> {
  readonly #most: number
  /** Networks without anybody are not in it. Each has who waits in the order of arrival. */
  readonly #byNetwork = new Map<string, Set<T>>()
  #size = 0

  /** `most`: those who wait at the same time, of all networks. */
  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#size
  }

  /** Adds somebody, and refuses whoever gives way; false if there is no place for them. */
  add(waiting: T): boolean {
    const own = this.#byNetwork.get(waiting.network) ?? new Set()
    if (this.#size >= this.#most) {
      const last = this.#lastOfLargest(own.size + 1)
      if (last === undefined) return false
      last.refuse()
      this.delete(last)
    }
    this.#byNetwork.set(waiting.network, own.add(waiting))
    this.#size += 1
    return true
  }

  /** Does nothing for somebody who does not wait. */
  delete(waiting: T): void {
    const own = this.#byNetwork.get(waiting.network)
    if (!own?.delete(waiting)) return
    this.#size -= 1
    if (own.size === 0) this.#byNetwork.delete(waiting.network)
  }

  /** Returns who has waited longest of each network. */
  *first(): Generator<T> {
    for (const own of this.#byNetwork.values()) {
      const [first] = own
      if (first !== undefined) yield first
    }
  }

  /** Whoever came last of the network that waits with most, if they are more than `than`. */
  #lastOfLargest(than: number): T | undefined {
    let largest: ReadonlySet<T> | undefined
    for (const own of this.#byNetwork.values()) {
      if (own.size > (largest?.size ?? than)) largest = own
    }
    return [...(largest ?? [])].at(-1)
  }
}
