import { gzipSync } from 'node:zlib'
import { blake2b } from '@noble/hashes/blake2.js'
import type { Blocks } from './blocks.ts'
import { POP, PUSH, WINDOW } from './rabin.ts'

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
