import { Unread } from '../../budget.ts'
import { PieceReader } from '../piece-reader.ts'
import { LzmaDecoder, MAX_STEP } from './lzma-decoder.ts'
import { propertiesOf } from './lzma-model.ts'
import { mustTake } from './lzma2.ts'
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
