/**
 * Remembers what was used, for as long as it could be used again. Add only what somebody had to prove something for,
 * such as a right answer of a passkey: then strangers cannot make it grow.
 */
export class UsedOnce {
  /** Until when, in Unix milliseconds; the first to be forgotten first. */
  readonly #used = new Map<string, number>()
  readonly #time: number
  readonly #clock: () => number

  /** `time`: milliseconds that a use is remembered. `clock`: Unix milliseconds. */
  constructor({ time, clock }: { time: number; clock: () => number }) {
    this.#time = time
    this.#clock = clock
  }

  /** Returns whether it was used. */
  has(name: string): boolean {
    return this.#used.has(name)
  }

  /** Uses it. Returns false if it was used before. */
  add(name: string): boolean {
    const now = this.#clock()
    for (const [used, until] of this.#used) {
      if (until > now) break
      this.#used.delete(used)
    }
    if (this.#used.has(name)) return false
    this.#used.set(name, now + this.#time)
    return true
  }
}
