import { damaged, notRead } from '../../budget.ts'
import { PieceReader } from '../piece-reader.ts'
import { dictionaryOf, lzma2, mustTake } from './lzma2.ts'

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
