import { type Budget, damaged, notRead } from '../../budget.ts'
import { partOf, piecesOf, readAll, type Source, streamedSource } from '../../source.ts'
import { counted } from '../decompress.ts'
import { type Entry, plainPath } from '../entry.ts'
import { lzma1 } from '../lzma/lzma-alone.ts'
import { dictionaryOf, lzma2 } from '../lzma/lzma2.ts'
import { PieceReader } from '../piece-reader.ts'
import { type Coder, type Folder, readStreams } from './folders.ts'
import { HeaderReader, ID } from './header.ts'

/** Bytes of a jump or call: its code, and a distance. */
const LENGTH = 5
const CALL = 0xe8
/** How often bytes that may be jumps overlap one, and whether it was changed in spite of that. */
const IS_CHANGED = [true, true, true, false, true, false, false, false]
const OVERLAPPED = [0, 1, 2, 2, 3, 3, 3, 3]

/** Undoes a filter of programs for x86, which made the distances of jumps and calls places in the file (`BCJ` of 7-Zip). */
async function* bcj(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const filter = new JumpFilter()
  let left: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([left, piece])
    const done = filter.restore(bytes)
    left = bytes.subarray(done)
    if (done > 0) yield bytes.subarray(0, done)
  }
  if (left.length > 0) yield left
}

class JumpFilter {
  /** Where the bytes are. */
  #position = 0
  /** Of the last byte that may be a jump. */
  #last = -LENGTH
  /** Bits of which of the bytes before may be jumps. */
  #mask = 0

  /** Restores bytes in place, and returns how many are final. */
  restore(bytes: Buffer): number {
    let at = 0
    while (at + LENGTH <= bytes.length) {
      if ((bytes.readUInt8(at) & 0xfe) !== CALL) {
        at += 1
        continue
      }
      const place = this.#position + at
      const distance = place - this.#last
      this.#last = place
      this.#mask = distance > LENGTH ? 0 : this.#shifted(distance)
      at += this.#restoreAt(bytes, at, place)
    }
    this.#position += at
    return at
  }

  #shifted(distance: number): number {
    let mask = this.#mask
    for (let index = 0; index < distance; index += 1) mask = (mask & 0x77) << 1
    return mask
  }

  /** Returns how many bytes it went on. */
  #restoreAt(bytes: Buffer, at: number, place: number): number {
    const overlaps = this.#mask >> 1
    const isFar = isSign(bytes.readUInt8(at + 4))
    if (!isFar || IS_CHANGED[overlaps & 7] !== true || overlaps >= 0x10) {
      this.#mask |= isFar ? 0x11 : 1
      return 1
    }
    let target = bytes.readInt32LE(at + 1)
    let distance = 0
    for (;;) {
      distance = (target - (place + LENGTH)) | 0
      if (this.#mask === 0) break
      const shift = (OVERLAPPED[overlaps] ?? 0) * 8
      if (!isSign((distance >>> (24 - shift)) & 0xff)) break
      target = distance ^ (2 ** (32 - shift) - 1)
    }
    // The distance has 25 bits, with its sign.
    bytes.writeInt32LE((distance << 7) >> 7, at + 1)
    this.#mask = 0
    return LENGTH
  }
}

/** Distances are near zero: their highest byte is only their sign. */
function isSign(byte: number): boolean {
  return byte === 0 || byte === 0xff
}

const MAGIC = Buffer.from('377abcaf271c', 'hex')
const START = 32
const MAX_HEADER = 16 * 1_024 * 1_024

/** Returns whether bytes are the start of a 7z archive. */
export function isSevenZip(start: Buffer): boolean {
  return start.subarray(0, 6).equals(MAGIC)
}

/** Lists the files of a 7z archive, in the order in which they are compressed. */
export async function* sevenZipEntries(
  source: Source,
  budget: Budget,
): AsyncGenerator<Entry, void> {
  const start = await source.read(0, START)
  if (!isSevenZip(start)) throw damaged()
  const place = [12, 20].map((at) => Number(start.readBigUInt64LE(at)))
  const [offset = 0, size = 0] = place
  let reader = new HeaderReader(
    await readAll(partOf(source, START + offset, size), MAX_HEADER),
    budget,
  )
  let id = reader.byte()
  if (id === ID.encodedHeader) {
    const [folder] = readStreams(reader)
    if (folder === undefined) return
    const header = streamedSource(decodedFolder(source, folder, budget), folder.size)
    reader = new HeaderReader(await readAll(header, MAX_HEADER), budget)
    id = reader.byte()
  }
  if (id !== ID.header) throw damaged()
  let folders: Folder[] = []
  for (id = reader.byte(); id !== ID.end; id = reader.byte()) {
    if (id === ID.mainStreams) folders = readStreams(reader)
    else if (id === ID.files) yield* filesIn(source, folders, readNames(reader, budget), budget)
    else throw damaged()
  }
}

/** Returns the paths of the files that are not empty. */
function readNames(reader: HeaderReader, budget: Budget): string[] {
  const count = reader.count()
  let isEmpty: boolean[] = []
  let names: string[] = []
  for (let id = reader.byte(); id !== ID.end; id = reader.byte()) {
    const bytes = reader.take(reader.number())
    if (id === ID.names) {
      if (bytes.readUInt8() !== 0) throw notRead('seven_zip_external')
      names = bytes.toString('utf16le', 1).split('\0').slice(0, count)
    } else if (id === ID.emptyStream) {
      isEmpty = new HeaderReader(bytes, budget).bits(count)
    }
  }
  return names.filter((_, index) => isEmpty[index] !== true)
}

async function* filesIn(
  source: Source,
  folders: readonly Folder[],
  names: readonly string[],
  budget: Budget,
): AsyncGenerator<Entry, void> {
  let index = 0
  for (const folder of folders) {
    // Nothing is decompressed of a folder of which no file is opened.
    let reader: PieceReader | undefined
    let end = 0
    for (const size of folder.files) {
      const start = end
      end += size
      const fileEnd = end
      const path = plainPath(names[index] ?? '')
      index += 1
      const open = async () => {
        reader ??= new PieceReader(decodedFolder(source, folder, budget))
        await reader.skipTo(start)
        return streamedSource(reader.until(fileEnd), size)
      }
      yield { path, size, open }
    }
  }
}

function decodedFolder(source: Source, { coders, offset, packed, size }: Folder, budget: Budget) {
  if (coders === undefined) throw notRead('seven_zip_streams')
  let pieces: AsyncIterableIterator<Buffer> = piecesOf(partOf(source, START + offset, packed))
  for (const coder of coders) pieces = decoded(pieces, coder, size)
  return counted(pieces, budget)
}

function decoded(
  pieces: AsyncIterableIterator<Buffer>,
  { method, properties }: Coder,
  size: number,
): AsyncIterableIterator<Buffer> {
  if (method === '00') return pieces
  if (method === '21') return lzma2(new PieceReader(pieces), dictionaryOf(properties.readUInt8()))
  if (method === '030101') return lzma1(new PieceReader(pieces), properties, size)
  if (method === '03030103') return bcj(pieces)
  throw notRead(`seven_zip_method_${method}`)
}
