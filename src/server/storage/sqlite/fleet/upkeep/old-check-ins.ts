import type { CheckInRule } from '../../../../fleet/store.ts'
import { dayOf, hourOf } from '../../../../fleet/time.ts'
import type { LogSweep, TelemetryDatabase } from '../../../shared/batch.ts'

/** Check-ins, and profiles with hourly counts, that are deleted at once: about a millisecond each. */
const SLICE = 1_000
/** Check-ins that a sweep checks at once, and how often per round: 60 million per day. */
const SWEPT = 2_000
const SWEEPS = 20
/** Hourly adoption is kept for some days only. The daily counter stays. */
const KEEP_HOURS = 8 * 24

/** Deletes expired check-ins and hourly adoption, slice by slice. */
export class OldCheckIns {
  readonly #database: TelemetryDatabase
  /** The hour of the last round that deleted expired hours. */
  #hoursDoneIn = 0
  /** The current sweep, and the day of the last one. */
  #sweep: LogSweep | undefined
  #sweptOn = 0

  constructor(database: TelemetryDatabase) {
    this.#database = database
  }

  /** One round, which yields after every slice. The next slice waits its turn behind the batches in between. */
  async *delete({ before, now }: CheckInRule): AsyncGenerator<void, void> {
    if (before !== undefined) {
      // First, because the oldest check-ins show how old the ones with a wrong clock before them are.
      yield* this.#sweepCheckIns(before, now)
      while ((await this.#database.deleteCheckIns(before, now, SLICE)) === SLICE) yield
    }
    yield* this.#deleteHours(hourOf(now))
  }

  /**
   * Goes through the entire log once a day: check-ins with a wrong clock are out of order and hide older
   * ones behind them.
   */
  async *#sweepCheckIns(before: number, now: number): AsyncGenerator<void, void> {
    const today = dayOf(now)
    if (this.#sweep === undefined && this.#sweptOn === today) return
    this.#sweptOn = today
    let sweep = this.#sweep ?? { below: Number.MAX_SAFE_INTEGER, later: now }
    for (let count = 0; count < SWEEPS && sweep.below > 0; count++) {
      sweep = await this.#database.sweepCheckIns(sweep, before, now, SWEPT)
      this.#sweep = sweep.below > 0 ? sweep : undefined
      yield
    }
  }

  async *#deleteHours(hour: number): AsyncGenerator<void, void> {
    if (this.#hoursDoneIn === hour) return
    let profile = 0
    do {
      yield
      profile = await this.#database.deleteHourlyAdoption(hour - KEEP_HOURS, profile, SLICE)
    } while (profile !== 0)
    this.#hoursDoneIn = hour
  }
}
