import { type Budget, damaged } from '../../budget.ts'

// "7zFormat.txt" of the LZMA SDK.
export const ID = {
  end: 0,
  header: 1,
  mainStreams: 4,
  files: 5,
  packInfo: 6,
  unpackInfo: 7,
  subStreams: 8,
  size: 9,
  crc: 10,
  folder: 11,
  unpackSizes: 12,
  streamCount: 13,
  emptyStream: 14,
  names: 17,
  encodedHeader: 23,
} as const

/** Reads the numbers of a header in order. Reading beyond its end throws a `RangeError`. */
export class HeaderReader {
  readonly #bytes: Buffer
  readonly #budget: Budget
  #at = 0

  constructor(bytes: Buffer, budget: Budget) {
    this.#bytes = bytes
    this.#budget = budget
  }

  byte(): number {
    this.#at += 1
    return this.#bytes.readUInt8(this.#at - 1)
  }

  /** The leading ones of the first byte say how many bytes follow. */
  number(): number {
    const first = this.byte()
    let value = 0
    for (let index = 0; index < 8; index += 1) {
      const mask = 0x80 >> index
      if ((first & mask) === 0) return value + (first & (mask - 1)) * 2 ** (8 * index)
      value += this.byte() * 2 ** (8 * index)
    }
    return value
  }

  /** A number of things that follow. */
  count(): number {
    const count = this.number()
    this.#budget.spend('entries', count)
    return count
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw damaged()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  bits(count: number): boolean[] {
    const bytes = this.take(Math.ceil(count / 8))
    return Array.from(
      { length: count },
      (_, at) => (bytes.readUInt8(at >> 3) & (0x80 >> (at & 7))) !== 0,
    )
  }

  expect(id: number): void {
    if (this.byte() !== id) throw damaged()
  }

  /** Skips checksums, and returns which ones there are. */
  skipDigests(count: number): boolean[] {
    const given = this.byte() === 0 ? this.bits(count) : Array.from({ length: count }, () => true)
    this.take(given.filter(Boolean).length * 4)
    return given
  }
}
