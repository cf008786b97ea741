import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds that a refusal is held back. */
const HELD_FOR = 2_000
/** Refusals that are held back at a time; beyond them they are answered at once. */
const MAX_HELD = 1_000

/** Holds refusals back for a moment: who asks again as soon as they are answered then asks rarely. */
export class HoldBack {
  #held = 0

  async wait(): Promise<void> {
    if (this.#held >= MAX_HELD) return
    this.#held += 1
    await delay(HELD_FOR, undefined, { ref: false })
    this.#held -= 1
  }
}
