import { randomBytes } from 'node:crypto'

/**
 * HalfSipHash-1-3 with a 64-bit result (Aumasson and Bernstein, SipHash's variant of 32-bit words,
 * as in its reference implementation), as Linux has it for hash tables. Keyed, because callers choose
 * device ids and must not be able to choose collisions.
 */
export class KeyedHash {
  /** Results of the last `compute`: signed 32-bit integers. Fields, so that no call allocates. */
  first = 0
  second = 0
  readonly #k0: number
  readonly #k1: number
  #words = new Int32Array(64)

  /** `key`: 8 bytes; random by default. */
  constructor(key: Uint8Array = randomBytes(8)) {
    const view = new DataView(key.buffer, key.byteOffset, 8)
    this.#k0 = view.getInt32(0, true)
    this.#k1 = view.getInt32(4, true)
  }

  /** Hashes the 32-bit `prefix`, little endian, and then `text`, whose characters are below 256. */
  compute(prefix: number, text: string): void {
    const length = this.#pack(prefix, text)
    const words = this.#words
    let v0 = this.#k0
    let v1 = this.#k1 ^ 0xee
    let v2 = 0x6c796765 ^ this.#k0
    let v3 = 0x74656462 ^ this.#k1
    // A round per word and three for each half of the result, so that the round is written only once.
    const half = length + 3
    for (let step = 0; step < length + 6; step++) {
      const word = step < length ? (words[step] ?? 0) : 0
      v3 ^= word
      if (step === length) v2 ^= 0xee
      else if (step === half) {
        this.first = v1 ^ v3
        v1 ^= 0xdd
      }
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
      v0 ^= word
    }
    this.second = v1 ^ v3
  }

  /** Fills `#words` and returns their number. The last contains the remaining bytes and the byte count. */
  #pack(prefix: number, text: string): number {
    const length = (text.length >>> 2) + 2
    if (length > this.#words.length) this.#words = new Int32Array(length * 2)
    const words = this.#words
    words[0] = prefix
    const whole = text.length & ~3
    let word = 1
    for (let at = 0; at < whole; at += 4, word++) {
      words[word] =
        text.charCodeAt(at) |
        (text.charCodeAt(at + 1) << 8) |
        (text.charCodeAt(at + 2) << 16) |
        (text.charCodeAt(at + 3) << 24)
    }
    let tail = (text.length + 4) << 24
    for (let at = whole; at < text.length; at++) tail |= text.charCodeAt(at) << ((at & 3) << 3)
    words[word] = tail
    return length
  }
}
