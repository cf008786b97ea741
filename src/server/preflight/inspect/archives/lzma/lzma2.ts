import { damaged } from '../../budget.ts'
import type { PieceReader } from '../piece-reader.ts'
import { LzmaDecoder } from './lzma-decoder.ts'
import { propertiesOf } from './lzma-model.ts'
import { RangeDecoder } from './range-decoder.ts'

/** Returns the bytes of history that the property byte of LZMA2 names. */
export function dictionaryOf(byte: number): number {
  if (byte > 40) throw damaged()
  return byte === 40 ? 0xffff_ffff : (2 | (byte & 1)) * 2 ** ((byte >> 1) + 11)
}

/** More would take megabytes of probabilities for each of many short chunks. */
const MAX_LITERAL_BITS = 4

/** Decodes LZMA2, and leaves the reader behind its end. `dictionary`: bytes of history. */
export async function* lzma2(
  reader: PieceReader,
  dictionary: number,
): AsyncGenerator<Buffer, void> {
  const decoder = new LzmaDecoder(dictionary, { lc: 0, lp: 0, pb: 0 })
  for (;;) {
    const control = (await mustTake(reader, 1)).readUInt8()
    if (control === 0) return
    if (control === 1 || control >= 0xe0) decoder.resetDictionary()
    if (control < 0x80) {
      if (control > 2) throw damaged()
      yield decoder.plain(await mustTake(reader, (await mustTake(reader, 2)).readUInt16BE() + 1))
      continue
    }
    const sizes = await mustTake(reader, 4)
    const length = ((control & 0x1f) << 16) + sizes.readUInt16BE(0) + 1
    if (control >= 0xc0)
      decoder.resetState(propertiesOf((await mustTake(reader, 1)).readUInt8(), MAX_LITERAL_BITS))
    else if (control >= 0xa0) decoder.resetState()
    const coder = new RangeDecoder(await mustTake(reader, sizes.readUInt16BE(2) + 1))
    const bytes = decoder.decode(coder, length)
    if (bytes.length < length) throw damaged()
    yield bytes
  }
}

/** Takes exactly so many bytes. Throws `Unread` if there are fewer. */
export async function mustTake(reader: PieceReader, length: number): Promise<Buffer> {
  const bytes = await reader.take(length)
  if (bytes === undefined) throw damaged()
  return bytes
}
