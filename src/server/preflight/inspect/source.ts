import { keepLatest } from '../../runtime/keep-latest.ts'
import { type Budget, damaged, ReadFailure, Unread } from './budget.ts'
import type { InspectedFile } from './facts.ts'

/** Bytes at any place: of the file, of a part of it, or of something that is decompressed as far as it is read. */
export interface Source {
  /** Bytes. */
  readonly size: number
  /** Reads bytes. Throws `Unread` if they are not all within `size`, or would take more than a limit. */
  read(offset: number, length: number): Promise<Buffer>
}

/** Bytes that are read at once and kept: headers are close together, and a read may be a request over the network. */
const BLOCK = 64 * 1_024
const KEPT_BLOCKS = 32

/** Returns the file as a source. Reads what is larger than a block directly. */
export function fileSource(file: InspectedFile, budget: Budget): Source {
  const { size } = file
  const kept = new Map<number, Buffer>()

  async function readFile(offset: number, length: number): Promise<Buffer> {
    budget.spend('bytes', length)
    const bytes = await file.read(offset, length).catch((cause: unknown) => {
      throw new ReadFailure('read failed', { cause })
    })
    if (bytes.byteLength !== length) throw damaged()
    return Buffer.from(bytes.buffer, bytes.byteOffset, length)
  }

  async function block(start: number): Promise<Buffer> {
    const known = kept.get(start)
    if (known !== undefined) return known
    const bytes = await readFile(start, Math.min(BLOCK, size - start))
    keepLatest(kept, start, bytes, KEPT_BLOCKS)
    return bytes
  }

  return {
    size,
    async read(offset, length) {
      mustFit(offset, length, size)
      if (length > BLOCK) return readFile(offset, length)
      const start = offset - (offset % BLOCK)
      const first = await block(start)
      const end = offset - start + length
      if (end <= BLOCK) return first.subarray(offset - start, end)
      return Buffer.concat([first, await block(start + BLOCK)]).subarray(offset - start, end)
    },
  }
}

/** Returns a part of a source. Throws `Unread` if it is not within. */
export function partOf(source: Source, offset: number, size: number): Source {
  mustFit(offset, size, source.size)
  return {
    size,
    read(at, length) {
      mustFit(at, length, size)
      return source.read(offset + at, length)
    },
  }
}

/** Returns what is in memory as a source. */
export function memorySource(bytes: Buffer): Source {
  return {
    size: bytes.length,
    async read(offset, length) {
      mustFit(offset, length, bytes.length)
      return bytes.subarray(offset, offset + length)
    },
  }
}

/** What is kept of a stream, so that reading can go back; of a larger one, only what is behind the last read. */
const HELD = 64 * 1_024 * 1_024

/** Returns what arrives in order as a source, of which only as much is taken as is read. `size`: as announced. */
export function streamedSource(pieces: AsyncIterator<Buffer>, size: number): Source {
  const held: Buffer[] = []
  let start = 0
  let end = 0
  return {
    size,
    async read(offset, length) {
      mustFit(offset, length, size)
      if (offset < start || length > HELD) {
        throw new Unread({ code: 'over_limit', limit: 'decompressed' })
      }
      while (end < offset + length) {
        const next = await pieces.next()
        if (next.done === true) throw damaged()
        held.push(next.value)
        end += next.value.length
        while (end - start > HELD && start + (held[0]?.length ?? 0) <= offset) {
          start += held.shift()?.length ?? 0
        }
      }
      if (held.length > 1) held.splice(0, held.length, Buffer.concat(held))
      return (held[0] ?? Buffer.alloc(0)).subarray(offset - start, offset - start + length)
    },
  }
}

const PIECE = 256 * 1_024

/** Yields a source from an offset on, in order. */
export async function* piecesOf(source: Source, offset = 0): AsyncGenerator<Buffer, void> {
  for (let at = offset; at < source.size; at += PIECE) {
    yield await source.read(at, Math.min(PIECE, source.size - at))
  }
}

/** Reads all of a small source. Throws `Unread` for one of more than `most` bytes. */
export async function readAll(source: Source, most: number): Promise<Buffer> {
  if (source.size > most) throw new Unread({ code: 'over_limit', limit: 'bytes' })
  return source.read(0, source.size)
}

/** Reads as many bytes as there are, `length` at most. */
export function readUpTo(source: Source, offset: number, length: number): Promise<Buffer> {
  const start = Math.min(offset, source.size)
  return source.read(start, Math.min(length, source.size - start))
}

function mustFit(offset: number, length: number, size: number): void {
  const isWithin = Number.isSafeInteger(offset) && Number.isSafeInteger(length)
  if (!isWithin || offset < 0 || length < 0 || offset + length > size) throw damaged()
}
