import { dayOf } from '../../../fleet/time.ts'
import type { FleetInMemory } from '../fleet-in-memory.ts'

/** Milliseconds between rounds. */
const ROUND = 60_000
/** Days after which unused profiles are reclaimed if check-ins are kept forever. */
const FOREVER = 400

/**
 * Retires profiles that nobody vouches for and that no device or stored check-in uses; they are then
 * counted as other. A round checks a part of all profiles and retires few of them, so that it does not
 * delay checks. The result is written with the telemetry, whose health shows a failure.
 */
export class Reclaim {
  readonly #fleet: Pick<FleetInMemory, 'retireProfiles'>
  readonly #days: number
  readonly #clock: () => number
  #timer: NodeJS.Timeout | undefined

  /** `keepDays`: days that check-ins are kept, 0 for forever. `clock`: Unix time in milliseconds. */
  constructor(fleet: Pick<FleetInMemory, 'retireProfiles'>, keepDays: number, clock: () => number) {
    this.#fleet = fleet
    this.#days = keepDays === 0 ? FOREVER : keepDays
    this.#clock = clock
  }

  /** Starts a round immediately and then every minute. */
  start(): void {
    this.#round()
    this.#timer = setInterval(() => this.#round(), ROUND).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #round(): void {
    const today = dayOf(this.#clock())
    // One day longer than check-ins are kept, because they are deleted a little later.
    this.#fleet.retireProfiles(today - this.#days - 1, today + 1)
  }
}
