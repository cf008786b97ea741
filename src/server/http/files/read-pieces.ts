import type { FileHandle } from 'node:fs/promises'

/** Bytes of a piece: larger ones leave the cache of the processor, smaller ones cost more each and share a limited bandwidth. */
const LARGE_PIECE = 256 * 1_024
export const SMALL_PIECE = 32 * 1_024
/** Bytes of the pieces of all downloads together, of which each holds two, as long as they need not be smaller than that. */
const MEMORY = 32 * 1_024 * 1_024

/** A part of a file. */
export interface FilePart {
  readonly handle: FileHandle
  readonly start: number
  readonly length: number
}

/** Reads what follows a position of a part, from 1 byte on; nothing if the file is shorter than it should be. */
export type ReadPiece = (position: number) => Promise<Buffer>

/** Returns the bytes of a piece for that many downloads at the same time. */
export function pieceSize(running: number): number {
  const share = MEMORY / 2 / Math.max(1, running)
  return Math.min(LARGE_PIECE, Math.max(SMALL_PIECE, 2 ** Math.floor(Math.log2(share))))
}

/** Reads a part into two buffers, in turn: a piece is gone when the one after the next is read. */
export function readPieces({ handle, start, length }: FilePart, size: number): ReadPiece {
  const bytes = Math.min(size, length)
  const buffers = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)] as const
  let turn = 0
  return async (position) => {
    turn = 1 - turn
    const buffer = turn === 0 ? buffers[0] : buffers[1]
    const wanted = Math.min(bytes, length - position)
    const { bytesRead } = await handle.read(buffer, 0, wanted, start + position)
    return buffer.subarray(0, bytesRead)
  }
}
