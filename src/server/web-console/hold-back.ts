import { randomInt } from 'node:crypto'

/** Milliseconds that a refusal is held back: at random, so that those of one moment do not come back in one moment. */
export interface HeldFor {
  readonly least: number
  readonly most: number
}

const HELD_FOR: HeldFor = { least: 1_000, most: 4_000 }
/** Refusals that are held back at a time; beyond them they are answered at once. */
const MAX_HELD = 1_000

/** Holds refusals back for a moment, 1 to 4 seconds by default: who asks again as soon as they are answered then asks rarely. */
export class HoldBack {
  readonly #heldFor: HeldFor
  #held = 0

  constructor(heldFor: HeldFor = HELD_FOR) {
    this.#heldFor = heldFor
  }

  async wait(): Promise<void> {
    if (this.#held >= MAX_HELD) return
    this.#held += 1
    const { least, most } = this.#heldFor
    await new Promise<void>((resolve) => {
      setTimeout(resolve, randomInt(least, most)).unref()
    })
    this.#held -= 1
  }
}
