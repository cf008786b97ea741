import { compressionOf, counted } from '../archives/decompress.ts'
import type { Entry } from '../archives/entry.ts'
import { lzma1 } from '../archives/lzma/lzma-alone.ts'
import { PieceReader } from '../archives/piece-reader.ts'
import { type Budget, notRead } from '../budget.ts'
import { partOf, piecesOf, readUpTo, type Source, streamedSource } from '../source.ts'
import type { Pe } from './pe.ts'

const SIGNATURE = Buffer.from('efbeadde4e756c6c736f6674496e7374', 'hex')
const ALIGNMENT = 512
const FIRST_HEADER = 28
const PACKED = 0x8000_0000
/** No header is shorter: a smaller number is the start of data that is compressed as one. */
const MIN_HEADER = 256

/** Returns what an installer of NSIS has behind its program; undefined if it is none. */
export async function findNsis(pe: Pe): Promise<Source | undefined> {
  const start = Math.ceil(pe.overlay / ALIGNMENT) * ALIGNMENT
  for (const at of new Set([pe.overlay, start])) {
    const header = await readUpTo(pe.source, at, FIRST_HEADER)
    if (header.length === FIRST_HEADER && header.subarray(4, 20).equals(SIGNATURE)) {
      return partOf(pe.source, at + FIRST_HEADER, header.readUInt32LE(24) - FIRST_HEADER)
    }
  }
  return undefined
}

/**
 * Lists the files of an installer, in order and without their names. `isSkipped` is called once if some are not read because
 * each is compressed, as the parts of NSIS itself are beside the archive of electron-builder. Throws `Unread`.
 */
export async function* nsisEntries(
  data: Source,
  budget: Budget,
  isSkipped: () => void,
): AsyncGenerator<Entry, void> {
  const start = await data.read(0, 8)
  const header = start.readUInt32LE()
  const size = header % PACKED
  if (size < MIN_HEADER || size > data.size) {
    if (compressionOf(start) !== 'lzma') throw notRead('nsis_solid')
    return yield* solidEntries(data, budget)
  }
  // A checksum of 4 bytes may follow the last one.
  let at = 4 + size
  for (let index = 0; at + 4 < data.size; index += 1) {
    budget.spend('entries', 1)
    const length = (await data.read(at, 4)).readUInt32LE()
    const place = at + 4
    if (length >= PACKED) isSkipped()
    else yield entryOf(index, length, async () => partOf(data, place, length))
    at += 4 + (length % PACKED)
  }
}

/** All in one stream of LZMA: the header and the files, each behind its length. */
async function* solidEntries(data: Source, budget: Budget): AsyncGenerator<Entry, void> {
  const reader = new PieceReader(counted(lzma1InNsis(data), budget))
  for (let index = 0; ; index += 1) {
    budget.spend('entries', 1)
    const length = (await reader.take(4))?.readUInt32LE()
    if (length === undefined) return
    const end = reader.position + length
    if (index > 0)
      yield entryOf(index, length, async () => streamedSource(reader.until(end), length))
    await reader.skipTo(end)
  }
}

async function* lzma1InNsis(data: Source) {
  yield* lzma1(new PieceReader(piecesOf(data, 5)), await data.read(0, 5), Number.POSITIVE_INFINITY)
}

/** The names are in the script of the installer. */
function entryOf(index: number, size: number, open: Entry['open']): Entry {
  return { path: `${index}.exe`, size, open }
}
