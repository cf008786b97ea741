import { gzipSync } from 'node:zlib'
import { blake2b } from '@noble/hashes/blake2.js'
import { z } from 'zod'

const BlockMapFile = z.looseObject({
  files: z.tuple([
    z.looseObject({ checksums: z.array(z.string()), sizes: z.array(z.int().min(0)) }),
  ]),
})

export interface Blocks {
  readonly checksums: readonly string[]
  /** Bytes. */
  readonly sizes: readonly number[]
}

/** Reads a block map, unpacked, as `BlockMap` writes it. Throws if it is another thing. */
export function readBlocks(content: Buffer): Blocks {
  return BlockMapFile.parse(JSON.parse(content.toString())).files[0]
}

/** Returns the bytes of blocks that the other file lacks, as electron-updater downloads them (`downloadPlanBuilder.ts`). */
export function bytesOfNewBlocks(from: Blocks, { checksums, sizes }: Blocks): number {
  const known = new Set(from.checksums.map((checksum, at) => `${checksum} ${from.sizes[at]}`))
  return sizes.reduce(
    (bytes, size, at) => (known.has(`${checksums[at]} ${size}`) ? bytes : bytes + size),
    0,
  )
}

/** Rabin fingerprints of a window of bytes, as `github.com/aclements/go-rabin`, by which electron-builder splits files. */

/** Bytes of the window. */
const WINDOW = 64
/** Irreducible over GF(2). */
const POLYNOMIAL = 0xbfe6b8a5bf378d83n
const DEGREE = 63n

/** Numbers of 64 bits, in two arrays: bitwise operators know 32. */
interface RabinTable {
  readonly high: Int32Array
  readonly low: Int32Array
}

/** What a fingerprint is changed by when a byte is pushed that leaves this one at its top. */
const PUSH: RabinTable = table((top) => {
  const moved = top << DEGREE
  return moved ^ modulo(moved)
})

/** What a fingerprint is changed by when this byte leaves the window. */
const POP: RabinTable = table((byte) => modulo(byte << BigInt((WINDOW - 1) * 8)))

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

/** Bytes of a block: at least, but for the last one, and at most. */
export const LEAST = 8 * 1_024
export const MOST = 32 * 1_024
/** A block ends where these bits of the fingerprint are set: after 16 KiB on average. */
const END = 16 * 1_024 - 1
/** Bytes of the checksum of a block. */
const CHECKSUM = 18

/**
 * Makes the block map of a file, which is fed piece by piece: where its blocks are, by their content, so that electron-updater
 * downloads only those that it does not have. As electron-builder makes them (`targets/blockmap/blockmap.ts` in its
 * `app-builder-lib`), so that they can be compared with the ones that it has made.
 */
export class BlockMap {
  readonly #checksums: string[] = []
  readonly #sizes: number[] = []
  readonly #block = new Uint8Array(MOST)
  /** Bytes of the block so far. */
  #length = 0
  /** The fingerprint of the window, 64 bits. */
  #high = 0
  #low = 0

  /** Bytes of all blocks that are complete. */
  get bytes(): number {
    return this.#sizes.reduce((total, each) => total + each, 0)
  }

  add(piece: Uint8Array): void {
    let at = 0
    while (at < piece.length) {
      const from = this.#length
      const some = piece.subarray(at, at + MOST - from)
      this.#block.set(some, from)
      this.#length = this.#scan(from, from + some.length)
      at += this.#length - from
      if (this.#isComplete) this.#endBlock()
    }
  }

  /** Returns the block map as it is stored in a file: JSON, compressed with gzip. Nothing can be added after that. */
  end(): Buffer {
    if (this.#length > 0) this.#endBlock()
    return packBlocks({ checksums: this.#checksums, sizes: this.#sizes })
  }

  get #isComplete(): boolean {
    const isEnd = this.#length >= LEAST && (this.#low & END) === END
    return isEnd || this.#length === MOST
  }

  /** Moves the window over bytes of the block, and returns where it ends: at `to`, or where the block does. */
  #scan(from: number, to: number): number {
    const block = this.#block
    let high = this.#high
    let low = this.#low
    let at = Math.max(from, LEAST - WINDOW)
    while (at < to) {
      const next = block[at] ?? 0
      if (at >= LEAST) {
        const last = block[at - WINDOW] ?? 0
        high ^= POP.high[last] ?? 0
        low ^= POP.low[last] ?? 0
      }
      const top = (high >>> 23) & 0xff
      high = (((high << 8) | (low >>> 24)) & 0x7fffffff) ^ (PUSH.high[top] ?? 0)
      low = ((low << 8) | next) ^ (PUSH.low[top] ?? 0)
      at += 1
      if (at >= LEAST && (low & END) === END) break
    }
    this.#high = high
    this.#low = low
    return Math.min(at, to)
  }

  #endBlock(): void {
    this.#checksums.push(checksumOf(this.#block.subarray(0, this.#length)))
    this.#sizes.push(this.#length)
    this.#length = 0
    this.#high = 0
    this.#low = 0
  }
}

/** Returns the checksum of a block as block maps have it. */
export function checksumOf(block: Uint8Array): string {
  return Buffer.from(blake2b(block, { dkLen: CHECKSUM })).toString('base64')
}

/** Returns a block map as it is stored in a file: JSON, compressed with gzip. */
export function packBlocks({ checksums, sizes }: Blocks): Buffer {
  const file = { name: 'file', offset: 0, checksums, sizes }
  return gzipSync(JSON.stringify({ version: '2', files: [file] }), { level: 9 })
}
