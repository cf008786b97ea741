/** Milliseconds of running after which failures are forgotten. */
const STEADY_TIME = 60_000
const FIRST_DELAY = 500
const LONGEST_DELAY = 30_000

/** The delay before a failed operation is retried. It doubles after every failure. */
export class BackOff {
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  /** Call when it runs: its failures are forgotten after a minute without another. */
  up(): void {
    this.down()
    this.#timer = setTimeout(() => this.forget(), STEADY_TIME)
  }

  /** Call when it no longer runs; this is not a failure by itself. */
  down(): void {
    clearTimeout(this.#timer)
  }

  /** Counts a failure and returns how many there are in a row. */
  failed(): number {
    this.down()
    return ++this.#failures
  }

  /** Milliseconds until the next try, at most 30 s. */
  get delay(): number {
    return Math.min(FIRST_DELAY * 2 ** (this.#failures - 1), LONGEST_DELAY)
  }

  /** Forgets all failures. */
  forget(): void {
    this.down()
    this.#failures = 0
  }
}
