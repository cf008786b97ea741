import { days } from '../time.ts'

/** Milliseconds by which the clock may be ahead of the last check-in at a start. */
const MAX_GAP = days(30)
/** Milliseconds by which it may move more than time passes. */
const MAX_JUMP = days(1)
/** Milliseconds that a doubt lasts: in that time devices that are in use check in. */
const DOUBT = days(1)

export interface ClockDoubtOptions {
  /** Unix time in milliseconds. */
  readonly clock: () => number
  /** Unix time in milliseconds of the newest check-in; 0 if there is none. */
  readonly newestSeen: number
  /** Milliseconds since some moment, from a monotonic clock. */
  readonly elapsed?: (() => number) | undefined
}

/**
 * Detects when ages cannot be trusted. A clock that is years ahead makes every device look
 * abandoned, and so does a server that was off for long: devices get a day to check in first.
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

  /** Whether to wait with everything that depends on how old something is. */
  get isDoubtful(): boolean {
    const now = { clock: this.#clock(), elapsed: this.#elapsed() }
    const jump = now.clock - this.#asked.clock - (now.elapsed - this.#asked.elapsed)
    this.#asked = now
    if (jump > MAX_JUMP) this.#until = now.elapsed + DOUBT
    return now.elapsed < this.#until
  }
}
