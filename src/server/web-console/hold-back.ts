import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds that a refusal is held back: at random, so that those of one moment do not come back in one moment. */
const HELD_FOR = { least: 1_000, most: 4_000 }
/** Refusals that are held back at a time; beyond them they are answered at once. */
const MAX_HELD = 1_000

/** Holds refusals back for a moment: who asks again as soon as they are answered then asks rarely. */
export class HoldBack {
  #held = 0

  async wait(): Promise<void> {
    if (this.#held >= MAX_HELD) return
    this.#held += 1
    await delay(randomInt(HELD_FOR.least, HELD_FOR.most), undefined, { ref: false })
    this.#held -= 1
  }
}
