import type { DeviceName } from '../../../fleet/facts.ts'
import type { FleetInMemory } from '../fleet-in-memory.ts'

/** Milliseconds between checks of the revision of the catalog, which every request raises. */
const INTERVAL = 250
/** Milliseconds after which a failed request is retried. */
const RETRY = 5_000

export interface ErasuresOptions {
  /** The revision of the catalog. Called often, so it must be cheap. */
  readonly revision: () => number
  /** Pending requests, a few at a time. */
  readonly pending: () => Promise<readonly DeviceName[]>
  /** Called for every failed attempt. */
  readonly onFailure: (error: unknown) => void
}

/** Forgets the devices that someone asked to forget, in this process or another one. */
export class Erasures {
  readonly #fleet: FleetInMemory
  readonly #options: ErasuresOptions
  #seen: number | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(fleet: FleetInMemory, options: ErasuresOptions) {
    this.#fleet = fleet
    this.#options = options
  }

  /** Carries out pending requests, and from then on every request within a second. */
  start(): void {
    this.#next(0)
  }

  /** Stops after the requests in progress. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running.catch(() => {})
  }

  /** Carries out every committed request; runs do not overlap. Rejects on failure. */
  carryOut(): Promise<void> {
    const run = this.#running.catch(() => {}).then(() => this.#carryOut())
    this.#running = run
    return run
  }

  #next(delay: number): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      void this.#look().then((after) => this.#next(after))
    }, delay).unref()
  }

  async #look(): Promise<number> {
    const revision = this.#options.revision()
    if (revision === this.#seen) return INTERVAL
    try {
      await this.carryOut()
      this.#seen = revision
      return INTERVAL
    } catch (error) {
      this.#options.onFailure(error)
      return RETRY
    }
  }

  async #carryOut(): Promise<void> {
    while (!this.#stopped) {
      const pending = await this.#options.pending()
      if (pending.length === 0) return
      for (const name of pending) {
        if (!this.#fleet.erase(name)) throw new Error('a channel is being removed')
      }
      // This commit removes the requests from the list.
      await this.#fleet.settled()
    }
  }
}
