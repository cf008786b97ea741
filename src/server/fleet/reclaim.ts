import type { Fleet } from './fleet.ts'
import { dayOf } from './time.ts'

/** Milliseconds between rounds. */
const ROUND = 60_000
/** Days after which profiles that nothing uses are reclaimed while check-ins are kept forever. */
const FOREVER = 400

/**
 * Counts profiles as other that nobody vouches for and that no device and no kept check-in uses. A
 * round looks at a part of all profiles and retires few of them, so that it costs a check nothing.
 * What it retires is written with the telemetry, whose health shows a failure.
 */
export class Reclaim {
  readonly #fleet: Pick<Fleet, 'retireProfiles'>
  readonly #days: number
  readonly #clock: () => number
  #timer: NodeJS.Timeout | undefined

  /** `keepDays`: days that check-ins are kept, 0 forever. `clock`: Unix time in milliseconds. */
  constructor(fleet: Pick<Fleet, 'retireProfiles'>, keepDays: number, clock: () => number) {
    this.#fleet = fleet
    this.#days = keepDays === 0 ? FOREVER : keepDays
    this.#clock = clock
  }

  /** Starts a round now and then every minute. */
  start(): void {
    this.#round()
    this.#timer = setInterval(() => this.#round(), ROUND).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #round(): void {
    const today = dayOf(this.#clock())
    // A day more than check-ins are kept, because they are deleted a little later.
    this.#fleet.retireProfiles(today - this.#days - 1, today + 1)
  }
}
