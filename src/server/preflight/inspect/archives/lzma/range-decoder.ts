import { damaged } from '../../budget.ts'

const TOP = 2 ** 24
const HALF = 1_024

/** Returns probabilities that know nothing yet. */
export function probabilities(count: number): Uint16Array {
  return new Uint16Array(count).fill(HALF)
}

/** Reads bits by their probabilities, which adapt (the range coder of LZMA). */
export class RangeDecoder {
  readonly #input: Buffer
  #at = 5
  #range = 0xffff_ffff
  #code: number

  /** Throws `Unread` if the input does not begin as LZMA does. */
  constructor(input: Buffer) {
    if (input.length < 5 || input[0] !== 0) throw damaged()
    this.#input = input
    this.#code = input.readUInt32BE(1)
  }

  /** Reads a bit by the probability at an index. */
  bit(table: Uint16Array, index: number): 0 | 1 {
    const probability = table[index] ?? HALF
    const bound = (this.#range >>> 11) * probability
    if (this.#code < bound) {
      this.#range = bound
      table[index] = probability + ((2_048 - probability) >> 5)
      this.#refill()
      return 0
    }
    this.#range -= bound
    this.#code -= bound
    table[index] = probability - (probability >> 5)
    this.#refill()
    return 1
  }

  /** Reads bits that are as likely 0 as 1, the highest first. */
  direct(count: number): number {
    let value = 0
    for (let left = count; left > 0; left -= 1) {
      this.#range >>>= 1
      const isSet = this.#code >= this.#range
      if (isSet) this.#code -= this.#range
      value = value * 2 + (isSet ? 1 : 0)
      this.#refill()
    }
    return value
  }

  /** Reads bits of a tree of probabilities, which starts at `base`, the highest first. */
  tree(table: Uint16Array, base: number, bits: number): number {
    let node = 1
    for (let left = bits; left > 0; left -= 1) node = (node << 1) | this.bit(table, base + node)
    return node - (1 << bits)
  }

  /** The same, the lowest bit first. */
  reverseTree(table: Uint16Array, base: number, bits: number): number {
    let node = 1
    let value = 0
    for (let index = 0; index < bits; index += 1) {
      const bit = this.bit(table, base + node)
      node = (node << 1) | bit
      value |= bit << index
    }
    return value
  }

  #refill(): void {
    if (this.#range >= TOP) return
    const next = this.#input[this.#at]
    if (next === undefined) throw damaged()
    this.#at += 1
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | next) >>> 0
  }
}
