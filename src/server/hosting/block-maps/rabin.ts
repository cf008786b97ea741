/**
 * Rabin fingerprints of a window of bytes, as `github.com/aclements/go-rabin` computes them with its default polynomial:
 * what electron-builder splits files with.
 */

/** Bytes of the window. */
export const WINDOW = 64
/** Irreducible over GF(2). */
const POLYNOMIAL = 0xbfe6b8a5bf378d83n
const DEGREE = 63n

/** Numbers of 64 bits, in two arrays: bitwise operators know 32. */
export interface RabinTable {
  readonly high: Int32Array
  readonly low: Int32Array
}

/** What a fingerprint is changed by when a byte is pushed that leaves this one at its top. */
export const PUSH: RabinTable = table((top) => {
  const moved = top << DEGREE
  return moved ^ modulo(moved)
})

/** What a fingerprint is changed by when this byte leaves the window. */
export const POP: RabinTable = table((byte) => modulo(byte << BigInt((WINDOW - 1) * 8)))

/** Entries are linear over GF(2): that of a byte is the sum of those of its bits. */
function table(entry: (byte: bigint) => bigint): RabinTable {
  const bits = Array.from({ length: 8 }, (_, bit) => entry(1n << BigInt(bit)))
  const entries = Array.from({ length: 256 }, (_, byte) =>
    bits.reduce((sum, each, bit) => ((byte >> bit) & 1 ? sum ^ each : sum), 0n),
  )
  return {
    high: Int32Array.from(entries, (each) => Number(BigInt.asIntN(32, each >> 32n))),
    low: Int32Array.from(entries, (each) => Number(BigInt.asIntN(32, each))),
  }
}

/** The remainder of a division of polynomials over GF(2). */
function modulo(dividend: bigint): bigint {
  let rest = dividend
  for (let length = lengthOf(rest); length > DEGREE; length = lengthOf(rest)) {
    rest ^= POLYNOMIAL << (length - 1n - DEGREE)
  }
  return rest
}

/** Binary digits. */
function lengthOf(number: bigint): bigint {
  return number === 0n ? 0n : BigInt(number.toString(2).length)
}
