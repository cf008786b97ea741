import { damaged, notRead, Unread } from '../../budget.ts'
import { PieceReader } from '../piece-reader.ts'
import { LzmaDecoder, MAX_STEP } from './lzma-decoder.ts'
import { propertiesOf } from './lzma-model.ts'
import { dictionaryOf, lzma2, mustTake } from './lzma2.ts'
import { RangeDecoder } from './range-decoder.ts'

/** What is compressed by LZMA has no pieces, so that it is held in memory. */
const MAX_PACKED = 128 * 1_024 * 1_024

/** Decodes the format of `lzma`: properties, the length or -1, and the stream. */
export async function* lzmaAlone(pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  const reader = new PieceReader(pieces)
  const properties = await mustTake(reader, 5)
  const length = (await mustTake(reader, 8)).readBigInt64LE()
  yield* lzma1(reader, properties, length < 0n ? Number.POSITIVE_INFINITY : Number(length))
}

/** Decodes LZMA to its end marker, or so many bytes. `properties`: the byte, and 4 of how much history. */
export async function* lzma1(
  reader: PieceReader,
  properties: Buffer,
  length: number,
): AsyncGenerator<Buffer, void> {
  const decoder = new LzmaDecoder(properties.readUInt32LE(1), propertiesOf(properties.readUInt8()))
  const coder = new RangeDecoder(await rest(reader))
  for (let left = length; left > 0; ) {
    const bytes = decoder.decode(coder, Math.min(left, MAX_STEP))
    if (bytes.length > 0) yield bytes
    if (bytes.length < Math.min(left, MAX_STEP)) return
    left -= bytes.length
  }
}

async function rest(reader: PieceReader): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of reader.until(Number.POSITIVE_INFINITY)) {
    if (reader.position > MAX_PACKED) throw new Unread({ code: 'over_limit', limit: 'bytes' })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

// "The .xz File Format", version 1.2.1.
const MAGIC = Buffer.from('fd377a585a00', 'hex')
const LZMA2 = 0x21
/** Bytes of a check, by its ID. */
const CHECKS = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]

/** Decodes the first stream of an xz file. Its checksums are not verified: what it holds is parsed anyway. */
export async function* xz(pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  const reader = new PieceReader(pieces)
  const header = await mustTake(reader, 12)
  if (!header.subarray(0, 6).equals(MAGIC)) throw damaged()
  const check = CHECKS[header.readUInt8(7) & 0x0f] ?? 0
  const start = reader.position
  for (;;) {
    const words = (await mustTake(reader, 1)).readUInt8()
    if (words === 0) return
    yield* lzma2(reader, dictionaryIn(await mustTake(reader, words * 4 + 3)))
    const padding = (4 - ((reader.position - start) % 4)) % 4
    await reader.skipTo(reader.position + padding + check)
  }
}

/** Returns the history of the one filter of a block. */
function dictionaryIn(header: Buffer): number {
  const flags = header.readUInt8()
  if ((flags & 0x3f) !== 0) throw notRead('xz_filter')
  let at = 1
  for (const flag of [0x40, 0x80]) {
    if ((flags & flag) === 0) continue
    while (header.readUInt8(at) >= 0x80) at += 1
    at += 1
  }
  if (header.readUInt8(at) !== LZMA2 || header.readUInt8(at + 1) !== 1) throw notRead('xz_filter')
  return dictionaryOf(header.readUInt8(at + 2))
}
