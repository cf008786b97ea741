/** Milliseconds that something must stay up until its failures are forgotten. */
const STEADY_TIME = 60_000
const FIRST_DELAY = 500
const LONGEST_DELAY = 30_000

/** How long to wait before something that failed is tried again: twice as long after every failure. */
export class BackOff {
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  /** It runs now: after a minute its failures are forgotten, unless it fails before. */
  up(): void {
    this.down()
    this.#timer = setTimeout(() => this.forget(), STEADY_TIME)
  }

  /** It runs no more, which is no failure by itself. */
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

  forget(): void {
    this.down()
    this.#failures = 0
  }
}
