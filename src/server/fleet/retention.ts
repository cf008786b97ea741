import type { FleetStore } from './store.ts'
import { days, hourOf } from './time.ts'

/** Milliseconds between two rounds. */
const ROUND = 60_000
/** Check-ins deleted at once, and profiles whose hours are: about a millisecond each. */
const SLICE = 1_000
/** Hourly adoption is for the last days; the days' own counter stays. */
const KEEP_HOURS = 8 * 24

/** Deletes check-ins and hourly adoption that are older than they are kept, slice by slice. */
export class Retention {
  readonly #store: FleetStore
  readonly #keepDays: number
  readonly #onFailure: (error: unknown) => void
  readonly #clock: () => number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false
  /** The hour whose round has deleted the hours before those that are kept. */
  #hoursDoneIn = 0

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
    if (this.#keepDays > 0) await this.#deleteCheckIns(now)
    await this.#deleteHours(hourOf(now))
  }

  async #deleteCheckIns(now: number): Promise<void> {
    const before = now - days(this.#keepDays)
    while (!this.#stopped && (await this.#store.deleteCheckIns(before, now, SLICE)) === SLICE) {
      // The next slice waits its turn behind the batches in between.
    }
  }

  async #deleteHours(hour: number): Promise<void> {
    if (this.#hoursDoneIn === hour) return
    let profile = 0
    do {
      if (this.#stopped) return
      profile = await this.#store.deleteHourlyAdoption(hour - KEEP_HOURS, profile, SLICE)
    } while (profile !== 0)
    this.#hoursDoneIn = hour
  }
}
