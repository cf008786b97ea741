import { damaged, Unread } from '../../budget.ts'
import { Model, POSITIONS, type Properties } from './lzma-model.ts'
import type { RangeDecoder } from './range-decoder.ts'

// "LZMA specification", Igor Pavlov, 2015.
/** Bytes of history that are kept, as much as the largest preset of xz and 7-Zip uses. */
const MAX_DICTIONARY = 128 * 1_024 * 1_024
/** Bytes that are decoded between two moves of the history. */
export const MAX_STEP = 2 * 1_024 * 1_024
const END_MARKER = 0xffff_ffff

/** Decodes LZMA step by step, with as much history as matches reach back. */
export class LzmaDecoder {
  readonly #dictionary: number
  #history = Buffer.alloc(0)
  #model: Model
  /** Where the next byte goes. */
  #at = 0
  /** Bytes since the history began, of which the positions are the lowest bits. */
  #total = 0
  /** Of a match that a step cut off. */
  #pending = 0

  /** `dictionary`, bytes: how far matches reach back. */
  constructor(dictionary: number, properties: Properties) {
    if (dictionary > MAX_DICTIONARY) {
      throw new Unread({ code: 'over_limit', limit: 'decompressed' })
    }
    this.#dictionary = Math.max(dictionary, 4_096)
    this.#model = new Model(properties)
  }

  /** Forgets what was learned, and takes properties if they change. */
  resetState(properties: Properties = this.#model.properties): void {
    this.#model = new Model(properties)
  }

  /** Forgets the history. */
  resetDictionary(): void {
    this.#at = 0
    this.#total = 0
  }

  /** Adds bytes that are not compressed, `MAX_STEP` at most. */
  plain(bytes: Buffer): Buffer {
    this.#makeRoom(bytes.length)
    this.#at += bytes.copy(this.#history, this.#at)
    this.#total += bytes.length
    return bytes
  }

  /** Decodes so many bytes, `MAX_STEP` at most; fewer before an end marker. Throws `Unread` for what is no LZMA. */
  decode(coder: RangeDecoder, length: number): Buffer {
    this.#makeRoom(length)
    const start = this.#at
    const end = start + length
    if (this.#pending > 0) this.#copy(this.#pending, end)
    while (this.#at < end && this.#next(coder, end));
    return Buffer.from(this.#history.subarray(start, this.#at))
  }

  /** The history grows with what is decoded, because a few bytes can announce a large one. */
  #makeRoom(length: number): void {
    const most = this.#dictionary + 2 * MAX_STEP
    if (this.#at + length > most) {
      this.#history.copyWithin(0, this.#at - this.#dictionary, this.#at)
      this.#at = this.#dictionary
    }
    if (this.#at + length <= this.#history.length) return
    const larger = Buffer.allocUnsafe(Math.min(most, 2 * (this.#at + length)))
    this.#history.copy(larger, 0, 0, this.#at)
    this.#history = larger
  }

  /** Returns whether there may be more. */
  #next(coder: RangeDecoder, end: number): boolean {
    const model = this.#model
    const position = this.#total & ((1 << model.properties.pb) - 1)
    const place = model.state * POSITIONS + position
    if (coder.bit(model.isMatch, place) === 0) {
      this.#literal(coder)
      return true
    }
    if (coder.bit(model.isRep, model.state) === 0) return this.#match(coder, position, end)
    this.#repeated(coder, position, end)
    return true
  }

  #literal(coder: RangeDecoder): void {
    const model = this.#model
    const { lc, lp } = model.properties
    const before = this.#total === 0 ? 0 : (this.#history[this.#at - 1] ?? 0)
    const context = ((this.#total & ((1 << lp) - 1)) << lc) + (before >> (8 - lc))
    const base = 0x300 * context
    let symbol = 1
    if (model.state >= 7) {
      let matched = this.#history[this.#source()] ?? 0
      while (symbol < 0x100) {
        const expected = (matched >> 7) & 1
        matched <<= 1
        const bit = coder.bit(model.literals, base + ((1 + expected) << 8) + symbol)
        symbol = (symbol << 1) | bit
        if (bit !== expected) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | coder.bit(model.literals, base + symbol)
    this.#history[this.#at] = symbol & 0xff
    this.#at += 1
    this.#total += 1
    model.state = model.state < 4 ? 0 : model.state < 10 ? model.state - 3 : model.state - 6
  }

  #match(coder: RangeDecoder, position: number, end: number): boolean {
    const model = this.#model
    const length = model.lengths.read(coder, position)
    const distance = this.#distance(coder, length)
    if (distance === END_MARKER) return false
    const [first, second, third] = model.reps
    model.reps = [distance, first, second, third]
    model.state = model.state < 7 ? 7 : 10
    this.#copy(length, end)
    return true
  }

  #distance(coder: RangeDecoder, length: number): number {
    const { slots, special, align } = this.#model
    const slot = coder.tree(slots, Math.min(length - 2, 3) * 64, 6)
    if (slot < 4) return slot
    const bits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** bits
    if (slot < 14) return base + coder.reverseTree(special, base - slot, bits)
    return base + coder.direct(bits - 4) * 16 + coder.reverseTree(align, 0, 4)
  }

  #repeated(coder: RangeDecoder, position: number, end: number): void {
    const model = this.#model
    const { state, reps } = model
    if (coder.bit(model.isRepG0, state) === 0) {
      if (coder.bit(model.isRep0Long, state * POSITIONS + position) === 0) {
        model.state = state < 7 ? 9 : 11
        this.#copy(1, end)
        return
      }
    } else if (coder.bit(model.isRepG1, state) === 0) {
      model.reps = [reps[1], reps[0], reps[2], reps[3]]
    } else if (coder.bit(model.isRepG2, state) === 0) {
      model.reps = [reps[2], reps[0], reps[1], reps[3]]
    } else {
      model.reps = [reps[3], reps[0], reps[1], reps[2]]
    }
    const length = model.repLengths.read(coder, position)
    model.state = state < 7 ? 8 : 11
    this.#copy(length, end)
  }

  /** Copies from the last distance as far as `end`, and the rest in the next step. */
  #copy(length: number, end: number): void {
    const now = Math.min(length, end - this.#at)
    let from = this.#source()
    for (let left = now; left > 0; left -= 1) {
      this.#history[this.#at] = this.#history[from] ?? 0
      this.#at += 1
      from += 1
    }
    this.#total += now
    this.#pending = length - now
  }

  #source(): number {
    const distance = this.#model.reps[0] + 1
    if (distance > this.#total || distance > this.#dictionary) throw damaged()
    return this.#at - distance
  }
}
