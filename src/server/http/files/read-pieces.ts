import type { FileHandle } from 'node:fs/promises'

/** Bytes of a piece: larger ones leave the cache of the processor, smaller ones cost more each and share a limited bandwidth. */
const LARGE_PIECE = 256 * 1_024
export const SMALL_PIECE = 32 * 1_024
/** Bytes of the pieces of all downloads together, of which each holds two, as long as they need not be smaller than that. */
const MEMORY = 32 * 1_024 * 1_024

/** A part of what is sent: of the file, or between parts of it. */
export type Segment =
  | { readonly start: number; readonly length: number }
  | { readonly bytes: Buffer }

/** What is sent of a file, in this order. */
export interface FileParts {
  readonly handle: FileHandle
  readonly segments: readonly Segment[]
}

/** Bytes of a segment. */
export function lengthOf(segment: Segment): number {
  return 'bytes' in segment ? segment.bytes.length : segment.length
}

/** Reads what follows a position, from 1 byte on; nothing if the file is shorter than it should be. Positions only grow. */
export type ReadPiece = (position: number) => Promise<Buffer>

/** Returns the bytes of a piece for that many downloads at the same time. */
export function pieceSize(running: number): number {
  const share = MEMORY / 2 / Math.max(1, running)
  return Math.min(LARGE_PIECE, Math.max(SMALL_PIECE, 2 ** Math.floor(Math.log2(share))))
}

/** Reads parts into two buffers, in turn: a piece is gone when the one after the next is read. */
export function readPieces({ handle, segments }: FileParts, size: number): ReadPiece {
  const all = segments.reduce((total, each) => total + lengthOf(each), 0)
  const bytes = Math.min(size, all)
  const buffers = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)] as const
  let turn = 0
  /** The segment that is read, and the position at which it begins. */
  let current = 0
  let begin = 0
  return async (position) => {
    turn = 1 - turn
    const buffer = turn === 0 ? buffers[0] : buffers[1]
    let filled = 0
    for (;;) {
      const segment = segments[current]
      if (segment === undefined || filled === bytes) break
      const from = position + filled - begin
      const wanted = Math.min(bytes - filled, lengthOf(segment) - from)
      if (wanted === 0) {
        begin += lengthOf(segment)
        current += 1
      } else {
        const read = await readInto(buffer.subarray(filled, filled + wanted), handle, segment, from)
        filled += read
        if (read < wanted) break
      }
    }
    return buffer.subarray(0, filled)
  }
}

/** Fills a buffer from a position of a segment on. Returns how many bytes there were. */
async function readInto(buffer: Buffer, handle: FileHandle, segment: Segment, from: number) {
  if ('bytes' in segment) return segment.bytes.copy(buffer, 0, from)
  return (await handle.read(buffer, 0, buffer.length, segment.start + from)).bytesRead
}
