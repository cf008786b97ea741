import { Readable, type Transform } from 'node:stream'
import { createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { type Budget, damaged, notRead, ReadFailure, Unread } from '../budget.ts'
import { piecesOf, type Source } from '../source.ts'
import { lzmaAlone, xz } from './lzma/lzma-alone.ts'

const STREAMS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  zlib: createInflate,
  deflate: createInflateRaw,
  zstd: createZstdDecompress,
}

/** How something is compressed. `lzma`: the format of the tool of that name. */
export type Compression = 'none' | 'gzip' | 'zlib' | 'deflate' | 'zstd' | 'xz' | 'lzma'

/** Decompresses a source as far as it is read, within the budget. Throws `Unread`. */
export function decompressed(
  source: Source,
  compression: Compression,
  budget: Budget,
): AsyncGenerator<Buffer, void> {
  return counted(piecesBy(source, compression, budget), budget)
}

/** Counts what decompressing makes. */
export async function* counted(
  pieces: AsyncIterable<Buffer>,
  budget: Budget,
): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) {
    budget.spend('decompressed', piece.length)
    yield piece
  }
}

function piecesBy(source: Source, compression: Compression, budget: Budget) {
  if (compression === 'none') return piecesOf(source)
  if (compression === 'xz') return xz(piecesOf(source))
  if (compression === 'lzma') return lzmaAlone(piecesOf(source))
  const create = STREAMS[compression]
  if (create === undefined) throw notRead(compression)
  return streamed(source, create(), budget)
}

async function* streamed(source: Source, transform: Transform, budget: Budget) {
  const input = Readable.from(piecesOf(source))
  const close = budget.opened(() => {
    input.destroy()
    transform.destroy()
  })
  input.on('error', (error) => transform.destroy(error))
  try {
    for await (const piece of input.pipe(transform)) yield piece as Buffer
  } catch (error) {
    throw error instanceof Unread || error instanceof ReadFailure ? error : damaged()
  } finally {
    close()
  }
}

const MAGICS: readonly (readonly [string, Compression])[] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
  ['fd377a585a00', 'xz'],
  ['5d0000', 'lzma'],
]

/** Returns how bytes are compressed, by their start; undefined if not known. */
export function compressionOf(start: Buffer): Compression | undefined {
  const hex = start.toString('hex', 0, 6)
  return MAGICS.find(([magic]) => hex.startsWith(magic))?.[1]
}
