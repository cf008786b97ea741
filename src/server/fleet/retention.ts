import type { FleetStore } from './store.ts'
import { days } from './time.ts'

/** Milliseconds between two rounds. */
const ROUND = 60_000
/** Check-ins deleted at once: about a millisecond. */
const SLICE = 1_000

/** Deletes check-ins that are older than the days that they are kept, slice by slice. */
export class Retention {
  readonly #store: FleetStore
  readonly #keepDays: number
  readonly #onFailure: (error: unknown) => void
  readonly #clock: () => number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  /**
   * `keepDays`: whole days, 0 keeps check-ins for ever. `onFailure` hears of a failed round.
   * `clock`: Unix time in milliseconds.
   */
  constructor(
    store: FleetStore,
    keepDays: number,
    onFailure: (error: unknown) => void,
    clock: () => number = Date.now,
  ) {
    this.#store = store
    this.#keepDays = keepDays
    this.#onFailure = onFailure
    this.#clock = clock
  }

  /** Starts a round now and then every minute. */
  start(): void {
    if (this.#keepDays === 0) return
    this.#next(0)
  }

  /** Stops after the slice at hand. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #next(delay: number): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#running = this.#round()
        .catch(this.#onFailure)
        .then(() => this.#next(ROUND))
    }, delay).unref()
  }

  async #round(): Promise<void> {
    const now = this.#clock()
    const before = now - days(this.#keepDays)
    while (!this.#stopped && (await this.#store.deleteCheckIns(before, now, SLICE)) === SLICE) {
      // The next slice waits its turn behind the batches in between.
    }
  }
}
