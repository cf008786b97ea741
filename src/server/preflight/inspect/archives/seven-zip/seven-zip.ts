import { type Budget, damaged, notRead } from '../../budget.ts'
import { partOf, piecesOf, readAll, type Source, streamedSource } from '../../source.ts'
import { counted } from '../decompress.ts'
import { type Entry, plainPath } from '../entry.ts'
import { lzma1 } from '../lzma/lzma-alone.ts'
import { dictionaryOf, lzma2 } from '../lzma/lzma2.ts'
import { PieceReader } from '../piece-reader.ts'
import { bcj } from './bcj.ts'
import { type Coder, type Folder, readStreams } from './folders.ts'
import { HeaderReader, ID } from './header.ts'

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
