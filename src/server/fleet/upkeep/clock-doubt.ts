import { days } from '../time.ts'

/** Milliseconds by which the clock can be ahead of the last check-in at a start. */
const MAX_GAP = days(30)
/** Milliseconds by which the clock can run ahead of the monotonic clock. */
const MAX_JUMP = days(1)
/** Milliseconds that a doubt lasts, enough for devices in use to check in. */
const DOUBT = days(1)

export interface ClockDoubtOptions {
  /** Unix time in milliseconds. */
  readonly clock: () => number
  /** Unix time in milliseconds of the newest check-in; 0 if there is none. */
  readonly newestSeen: number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: (() => number) | undefined
}

/**
 * Detects when ages cannot be trusted. A clock that is years ahead makes every device look unused, and so does
 * a long downtime of the server, so devices get a day to check in first.
 */
export class ClockDoubt {
  readonly #clock: () => number
  readonly #elapsed: () => number
  #asked: { readonly clock: number; readonly elapsed: number }
  #until: number

  constructor({ clock, newestSeen, elapsed = () => performance.now() }: ClockDoubtOptions) {
    this.#clock = clock
    this.#elapsed = elapsed
    this.#asked = { clock: clock(), elapsed: elapsed() }
    const gap = newestSeen === 0 ? 0 : this.#asked.clock - newestSeen
    this.#until = gap > MAX_GAP ? this.#asked.elapsed + DOUBT : Number.NEGATIVE_INFINITY
  }

  /** Returns whether work that depends on ages must wait. */
  get isDoubtful(): boolean {
    const now = { clock: this.#clock(), elapsed: this.#elapsed() }
    const jump = now.clock - this.#asked.clock - (now.elapsed - this.#asked.elapsed)
    this.#asked = now
    if (jump > MAX_JUMP) this.#until = now.elapsed + DOUBT
    return now.elapsed < this.#until
  }
}
