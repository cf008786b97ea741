import { dayOf, days, hourOf } from '../../../fleet/time.ts'
import type { LogSweep, TelemetryDatabase } from '../batch.ts'

/** Milliseconds between two rounds. */
const ROUND = 60_000
/** Check-ins deleted at once, and profiles whose hours are: about a millisecond each. */
const SLICE = 1_000
/** Check-ins that a sweep checks at once, and how often per round: 60 million per day. */
const SWEPT = 2_000
const SWEEPS = 20
/** Hourly adoption is for the last days; the days' own counter stays. */
const KEEP_HOURS = 8 * 24

/** Deletes check-ins and hourly adoption that are older than they are kept, slice by slice. */
export class Retention {
  readonly #store: TelemetryDatabase
  readonly #keepDays: number
  readonly #onFailure: (error: unknown) => void
  readonly #clock: () => number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false
  /** The hour whose round has deleted the hours before those that are kept. */
  #hoursDoneIn = 0
  /** The current sweep, and the day of the last one. */
  #sweep: LogSweep | undefined
  #sweptOn = 0

  /**
   * `keepDays`: whole days, 0 keeps check-ins for ever. `onFailure` hears of a failed round.
   * `clock`: Unix time in milliseconds.
   */
  constructor(
    store: TelemetryDatabase,
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
    // First, while what is oldest still says how old that is which a wrong clock made before it.
    await this.#sweepCheckIns(before, now)
    while (!this.#stopped && (await this.#store.deleteCheckIns(before, now, SLICE)) === SLICE) {
      // The next slice waits its turn behind the batches in between.
    }
  }

  /**
   * Goes through the entire log once a day: check-ins with a wrong clock are out of order and hide older
   * ones behind them.
   */
  async #sweepCheckIns(before: number, now: number): Promise<void> {
    const today = dayOf(now)
    if (this.#sweep === undefined && this.#sweptOn === today) return
    let sweep = this.#sweep ?? { below: Number.MAX_SAFE_INTEGER, later: now }
    for (let count = 0; count < SWEEPS && sweep.below > 0 && !this.#stopped; count++) {
      sweep = await this.#store.sweepCheckIns(sweep, before, now, SWEPT)
    }
    this.#sweep = sweep.below > 0 ? sweep : undefined
    this.#sweptOn = today
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
