/** Somebody who waits for a place, in the name of a network. */
interface Waiting {
  readonly network: string
  /** Ends the wait: there is no place. */
  refuse(): void
}

/**
 * Who waits, by network. When all waiting places are taken, the network that waits with most gives way to one that
 * waits with fewer, so that no network keeps the others out.
 */
class WaitingPlaces<T extends Waiting> {
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

/** Why a download has to wait: all places are taken, or all of the caller's network. */
export type BusyReason = 'total' | 'network'

/** A download may begin, until `release` is called; or why not, and when to try again. */
export type Place =
  | { readonly ok: true; release(): void }
  | { readonly ok: false; readonly reason: BusyReason; readonly retrySeconds: number }

interface Options {
  /** Downloads at the same time; 0 for no limit. */
  readonly total: number
  /** The same for one network; 0 for no limit. */
  readonly perNetwork: number
  /** Milliseconds for which a download waits for a place before it is refused. */
  readonly patience: number
  /** A number from 0 up to 1, so that not everybody comes back at the same moment. */
  readonly random?: () => number
}

interface WaitingDownload extends Waiting {
  admit(): void
}

/** Seconds after which those who were refused try again: at least, and at most. */
const RETRY = { from: 30, to: 120 } as const

/**
 * Limits the downloads at the same time. Most updaters do not try again by themselves, so that a download first waits for
 * a place; as many wait as may run. A place goes to the network with the fewest downloads, within it in the order of
 * arrival.
 */
export class DownloadSlots {
  readonly #options: Options
  readonly #random: () => number
  readonly #running = new Map<string, number>()
  readonly #waiting: WaitingPlaces<WaitingDownload>
  #total = 0
  #refused = 0

  constructor(options: Options) {
    this.#options = options
    this.#random = options.random ?? Math.random
    const { total, perNetwork } = options
    this.#waiting = new WaitingPlaces(total > 0 ? total : perNetwork)
  }

  /** Downloads that run now, that wait, and that were refused since the start. */
  get counts() {
    return { running: this.#total, waiting: this.#waiting.size, refused: this.#refused }
  }

  /** Resolves once there is a place, or to why there is none. `gone` aborts when the caller has left. */
  async take(network: string, gone: AbortSignal): Promise<Place> {
    const reason = this.#busy(network)
    if (reason === undefined) return this.#start(network)
    const { patience } = this.#options
    if (patience === 0) return this.#refuse(reason)
    return await new Promise((resolve) => {
      const settle = (place: Place) => {
        clearTimeout(timer)
        gone.removeEventListener('abort', refuse)
        this.#waiting.delete(waiting)
        resolve(place)
      }
      const refuse = () => settle(this.#refuse(this.#busy(network) ?? reason))
      const waiting = { network, refuse, admit: () => settle(this.#start(network)) }
      const timer = setTimeout(refuse, patience)
      gone.addEventListener('abort', refuse)
      if (!this.#waiting.add(waiting)) refuse()
    })
  }

  #busy(network: string): BusyReason | undefined {
    const { total, perNetwork } = this.#options
    if (total > 0 && this.#total >= total) return 'total'
    return perNetwork > 0 && this.#of(network) >= perNetwork ? 'network' : undefined
  }

  #start(network: string): Place {
    this.#total += 1
    this.#running.set(network, this.#of(network) + 1)
    let isRunning = true
    const release = () => {
      if (!isRunning) return
      isRunning = false
      this.#total -= 1
      const left = (this.#running.get(network) ?? 1) - 1
      if (left === 0) this.#running.delete(network)
      else this.#running.set(network, left)
      this.#admit()
    }
    return { ok: true, release }
  }

  /** Gives the place that was released to whoever has a right to it. */
  #admit(): void {
    let next: WaitingDownload | undefined
    for (const waiting of this.#waiting.first()) {
      if (this.#busy(waiting.network) !== undefined) continue
      if (next === undefined || this.#of(waiting.network) < this.#of(next.network)) next = waiting
    }
    next?.admit()
  }

  #of(network: string): number {
    return this.#running.get(network) ?? 0
  }

  #refuse(reason: BusyReason): Place {
    this.#refused += 1
    const { from, to } = RETRY
    return { ok: false, reason, retrySeconds: Math.round(from + (to - from) * this.#random()) }
  }
}
