import { type Budget, damaged, notRead } from '../../budget.ts'

// "7zFormat.txt" of the LZMA SDK.
export const ID = {
  end: 0,
  header: 1,
  mainStreams: 4,
  files: 5,
  packInfo: 6,
  unpackInfo: 7,
  subStreams: 8,
  size: 9,
  crc: 10,
  folder: 11,
  unpackSizes: 12,
  streamCount: 13,
  emptyStream: 14,
  names: 17,
  encodedHeader: 23,
} as const

/** What is compressed as one. */
export interface Folder {
  /** In hex. */
  readonly method: string
  readonly properties: Buffer
  /** Bytes from the start of the packed data. */
  readonly offset: number
  readonly packed: number
  readonly size: number
  /** Bytes of the files in it. */
  readonly files: readonly number[]
}

/** A folder without what other parts of the header say of it. */
interface Coded extends Pick<Folder, 'method' | 'properties' | 'size'> {
  readonly hasDigest: boolean
}

/** Reads the numbers of a header in order. Reading beyond its end throws a `RangeError`. */
export class HeaderReader {
  readonly #bytes: Buffer
  readonly #budget: Budget
  #at = 0

  constructor(bytes: Buffer, budget: Budget) {
    this.#bytes = bytes
    this.#budget = budget
  }

  byte(): number {
    this.#at += 1
    return this.#bytes.readUInt8(this.#at - 1)
  }

  /** The leading ones of the first byte say how many bytes follow. */
  number(): number {
    const first = this.byte()
    let value = 0
    for (let index = 0; index < 8; index += 1) {
      const mask = 0x80 >> index
      if ((first & mask) === 0) return value + (first & (mask - 1)) * 2 ** (8 * index)
      value += this.byte() * 2 ** (8 * index)
    }
    return value
  }

  /** A number of things that follow. */
  count(): number {
    const count = this.number()
    this.#budget.spend('entries', count)
    return count
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw damaged()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  bits(count: number): boolean[] {
    const bytes = this.take(Math.ceil(count / 8))
    return Array.from(
      { length: count },
      (_, at) => (bytes.readUInt8(at >> 3) & (0x80 >> (at & 7))) !== 0,
    )
  }

  expect(id: number): void {
    if (this.byte() !== id) throw damaged()
  }

  /** Skips checksums, and returns which ones there are. */
  skipDigests(count: number): boolean[] {
    const given = this.byte() === 0 ? this.bits(count) : Array.from({ length: count }, () => true)
    this.take(given.filter(Boolean).length * 4)
    return given
  }
}

/** Reads the folders: where they are, and how they are compressed. */
export function readStreams(reader: HeaderReader): Folder[] {
  let packed: { offset: number; sizes: number[] } = { offset: 0, sizes: [] }
  let folders: Coded[] = []
  let files: number[][] | undefined
  for (;;) {
    const id = reader.byte()
    if (id === ID.end) break
    if (id === ID.packInfo) packed = readPackInfo(reader)
    else if (id === ID.unpackInfo) folders = readFolders(reader)
    else if (id === ID.subStreams) files = readSubStreams(reader, folders)
    else throw damaged()
  }
  let offset = packed.offset
  return folders.map(({ method, properties, size }, index) => {
    const bytes = packed.sizes[index] ?? 0
    offset += bytes
    const inside = files?.[index] ?? [size]
    return { method, properties, size, offset: offset - bytes, packed: bytes, files: inside }
  })
}

function readPackInfo(reader: HeaderReader) {
  const offset = reader.number()
  const count = reader.count()
  let sizes: number[] = []
  for (let id = reader.byte(); id !== ID.end; id = reader.byte()) {
    if (id === ID.size) sizes = Array.from({ length: count }, () => reader.number())
    else if (id === ID.crc) reader.skipDigests(count)
    else throw damaged()
  }
  return { offset, sizes }
}

function readFolders(reader: HeaderReader): Coded[] {
  reader.expect(ID.folder)
  const count = reader.count()
  if (reader.byte() !== 0) throw notRead('seven_zip_external')
  const coders = Array.from({ length: count }, () => readCoder(reader))
  reader.expect(ID.unpackSizes)
  const sizes = coders.map(() => reader.number())
  let digests: boolean[] = []
  for (let id = reader.byte(); id !== ID.end; id = reader.byte()) {
    if (id !== ID.crc) throw damaged()
    digests = reader.skipDigests(count)
  }
  return coders.map((coder, index) => {
    return { ...coder, size: sizes[index] ?? 0, hasDigest: digests[index] === true }
  })
}

function readCoder(reader: HeaderReader) {
  if (reader.number() !== 1) throw notRead('seven_zip_filter')
  const flags = reader.byte()
  if ((flags & 0x90) !== 0) throw notRead('seven_zip_filter')
  const method = reader.take(flags & 0x0f).toString('hex')
  const properties = (flags & 0x20) === 0 ? Buffer.alloc(0) : reader.take(reader.number())
  return { method, properties }
}

/** Returns the sizes of the files in each folder, of which the last follows from the size of the folder. */
function readSubStreams(reader: HeaderReader, folders: readonly Coded[]): number[][] {
  let counts = folders.map(() => 1)
  let id = reader.byte()
  if (id === ID.streamCount) {
    counts = folders.map(() => reader.count())
    id = reader.byte()
  }
  const sizes = folders.map(({ size }, index) => {
    const count = counts[index] ?? 0
    if (count === 0) return []
    const given = id === ID.size ? Array.from({ length: count - 1 }, () => reader.number()) : []
    const last = given.reduce((left, each) => left - each, size)
    if (last < 0 || given.length !== count - 1) throw damaged()
    return [...given, last]
  })
  if (id === ID.size) id = reader.byte()
  const missing = folders.map(({ hasDigest }, at) => {
    return hasDigest && counts[at] === 1 ? 0 : (counts[at] ?? 0)
  })
  for (; id !== ID.end; id = reader.byte()) {
    if (id !== ID.crc) throw damaged()
    reader.skipDigests(missing.reduce((sum, each) => sum + each, 0))
  }
  return sizes
}
