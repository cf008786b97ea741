import { damaged } from '../../budget.ts'
import { probabilities, type RangeDecoder } from './range-decoder.ts'

const STATES = 12
export const POSITIONS = 16

/** How many bits of the position and of the byte before choose the probabilities. */
export interface Properties {
  readonly lc: number
  readonly lp: number
  readonly pb: number
}

/** Returns the properties in their byte. Throws `Unread` for one that has none, and for more bits of `lc` and `lp` than `most`. */
export function propertiesOf(byte: number, most = 12): Properties {
  const [lc, lp] = [byte % 9, Math.floor(byte / 9) % 5]
  if (byte >= 9 * 5 * 5 || lc + lp > most) throw damaged()
  return { lc, lp, pb: Math.floor(byte / 45) }
}

/** Lengths of matches, from 2 on. */
class Lengths {
  readonly #choice = probabilities(2)
  readonly #low = probabilities(POSITIONS << 3)
  readonly #mid = probabilities(POSITIONS << 3)
  readonly #high = probabilities(256)

  read(coder: RangeDecoder, position: number): number {
    if (coder.bit(this.#choice, 0) === 0) return 2 + coder.tree(this.#low, position << 3, 3)
    if (coder.bit(this.#choice, 1) === 0) return 10 + coder.tree(this.#mid, position << 3, 3)
    return 18 + coder.tree(this.#high, 0, 8)
  }
}

/** All that adapts, and that a reset of the state resets. */
export class Model {
  readonly properties: Properties
  readonly isMatch = probabilities(STATES * POSITIONS)
  readonly isRep = probabilities(STATES)
  readonly isRepG0 = probabilities(STATES)
  readonly isRepG1 = probabilities(STATES)
  readonly isRepG2 = probabilities(STATES)
  readonly isRep0Long = probabilities(STATES * POSITIONS)
  readonly slots = probabilities(4 * 64)
  readonly special = probabilities(115)
  readonly align = probabilities(16)
  readonly lengths = new Lengths()
  readonly repLengths = new Lengths()
  readonly literals: Uint16Array
  state = 0
  /** The last distances, the newest first. */
  reps: [number, number, number, number] = [0, 0, 0, 0]

  constructor(properties: Properties) {
    this.properties = properties
    this.literals = probabilities(0x300 << (properties.lc + properties.lp))
  }
}
