/** The clock of the demo's server: it stands where it was set, until it follows the clock of this computer. */
export class DemoClock {
  #at: number | undefined

  /** `at`: Unix milliseconds. */
  constructor(at: number) {
    this.#at = at
  }

  /** Returns Unix milliseconds. */
  readonly now = (): number => this.#at ?? Date.now()

  set(at: number): void {
    this.#at = at
  }

  /** From now on it is as late as it is. */
  follow(): void {
    this.#at = undefined
  }
}
