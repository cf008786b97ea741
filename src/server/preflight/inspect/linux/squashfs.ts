import { keepLatest } from '../../../runtime/keep-latest.ts'
import { type Compression, decompressed } from '../archives/decompress.ts'
import type { Entry } from '../archives/entry.ts'
import { type Budget, damaged, notRead } from '../budget.ts'
import { memorySource, type Source, streamedSource } from '../source.ts'

const METADATA = 8_192
const KEPT = 64
const NOT_COMPRESSED = 0x8000
const DATA_NOT_COMPRESSED = 1 << 24

interface Block {
  readonly bytes: Buffer
  /** Where the next one begins. */
  readonly next: number
}

/** The blocks of a file system: each is compressed on its own. */
class SquashfsBlocks {
  readonly #source: Source
  readonly #compression: Compression
  readonly #budget: Budget
  readonly #kept = new Map<number, Block>()

  constructor(source: Source, compression: Compression, budget: Budget) {
    this.#source = source
    this.#compression = compression
    this.#budget = budget
  }

  /** Reads what may go on in the blocks that follow. `offset`: in the decompressed bytes of those from `start` on. */
  async metadata(start: number, offset: number, length: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    let at = start
    let skip = offset
    for (let missing = length; missing > 0; ) {
      const { bytes, next } = await this.#block(at)
      const piece = bytes.subarray(skip, skip + missing)
      // The last inode may be shorter than what is read of one at most.
      if (bytes.length < METADATA && skip + missing > bytes.length) {
        pieces.push(piece, Buffer.alloc(missing - piece.length))
        break
      }
      skip = Math.max(0, skip - bytes.length)
      pieces.push(piece)
      missing -= piece.length
      at = next
    }
    return Buffer.concat(pieces)
  }

  /** Reads a block of a file. `stored`: bytes, with a flag; 0 for nothing but zeros. */
  async data(at: number, stored: number, expected: number): Promise<Buffer> {
    if (stored === 0) {
      this.#budget.spend('decompressed', expected)
      return Buffer.alloc(expected)
    }
    const bytes = await this.#source.read(at, stored & (DATA_NOT_COMPRESSED - 1))
    return (stored & DATA_NOT_COMPRESSED) === 0 ? this.#decompress(bytes, expected) : bytes
  }

  async #block(at: number): Promise<Block> {
    const known = this.#kept.get(at)
    if (known !== undefined) return known
    const header = (await this.#source.read(at, 2)).readUInt16LE()
    const size = header & (NOT_COMPRESSED - 1)
    if (size === 0 || size > METADATA) throw damaged()
    const stored = await this.#source.read(at + 2, size)
    const isPlain = (header & NOT_COMPRESSED) !== 0
    const bytes = isPlain ? stored : await this.#decompress(stored, METADATA)
    const block = { bytes, next: at + 2 + size }
    keepLatest(this.#kept, at, block, KEPT)
    return block
  }

  async #decompress(bytes: Buffer, most: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of decompressed(memorySource(bytes), this.#compression, this.#budget)) {
      pieces.push(piece)
      length += piece.length
      if (length > most) throw damaged()
    }
    return Buffer.concat(pieces)
  }
}

// "Squashfs Binary Format", version 4.
const COMPRESSIONS: readonly (Compression | 'lzo' | 'lz4')[] = [
  ...(['none', 'zlib', 'lzma', 'lzo', 'xz', 'lz4', 'zstd'] as const),
]
const MAX_BLOCK = 1_024 * 1_024
const NO_FRAGMENT = 0xffff_ffff
/** An app has what matters near the root. */
const MAX_DEPTH = 5
const TYPE = { folder: 1, file: 2, largeFolder: 8, largeFile: 9 } as const

/** Lists the files of a read-only file system, such as that of an AppImage. Throws `Unread`. */
export async function* squashfsEntries(
  source: Source,
  budget: Budget,
): AsyncGenerator<Entry, void> {
  const header = await source.read(0, 96)
  if (header.toString('latin1', 0, 4) !== 'hsqs' || header.readUInt16LE(28) !== 4) throw damaged()
  const compression = COMPRESSIONS[header.readUInt16LE(20)]
  if (compression === undefined || compression === 'lzo' || compression === 'lz4') {
    throw notRead(`squashfs_${compression ?? 'compression'}`)
  }
  const blockSize = header.readUInt32LE(12)
  if (blockSize < 4_096 || blockSize > MAX_BLOCK) throw damaged()
  const [inodes = 0, folders = 0, fragments = 0] = [64, 72, 80].map((at) => {
    return Number(header.readBigUInt64LE(at))
  })
  const blocks = new SquashfsBlocks(source, compression, budget)
  const [offset, block] = [header.readUInt16LE(32), Number(header.readBigUInt64LE(32) >> 16n)]
  yield* filesIn(block, offset, '', 0)

  async function* filesIn(
    block: number,
    offset: number,
    path: string,
    depth: number,
  ): AsyncGenerator<Entry, void> {
    for (const { name, type, ...place } of await readFolder(block, offset)) {
      budget.spend('entries', 1)
      if (type === TYPE.folder && depth < MAX_DEPTH) {
        yield* filesIn(place.block, place.offset, `${path}${name}/`, depth + 1)
      } else if (type === TYPE.file) {
        const file = await readFile(place.block, place.offset)
        const open = async () => streamedSource(piecesOf(file), file.size)
        yield { path: path + name, size: file.size, open }
      }
    }
  }

  async function readFolder(block: number, offset: number) {
    const inode = await blocks.metadata(inodes + block, offset, 40)
    const type = inode.readUInt16LE(0)
    if (type !== TYPE.folder && type !== TYPE.largeFolder) throw damaged()
    const [size, start, at] =
      type === TYPE.folder
        ? [inode.readUInt16LE(24), inode.readUInt32LE(16), inode.readUInt16LE(26)]
        : [inode.readUInt32LE(20), inode.readUInt32LE(24), inode.readUInt16LE(34)]
    if (size > MAX_BLOCK) throw damaged()
    return size < 4 ? [] : listingIn(await blocks.metadata(folders + start, at, size - 3))
  }

  async function readFile(block: number, offset: number) {
    const inode = await blocks.metadata(inodes + block, offset, 56)
    const type = inode.readUInt16LE(0)
    if (type !== TYPE.file && type !== TYPE.largeFile) throw damaged()
    const isLarge = type === TYPE.largeFile
    const size = isLarge ? Number(inode.readBigUInt64LE(24)) : inode.readUInt32LE(28)
    const fragment = inode.readUInt32LE(isLarge ? 44 : 20)
    const count =
      fragment === NO_FRAGMENT ? Math.ceil(size / blockSize) : Math.floor(size / blockSize)
    return {
      ...{ size, fragment, count, inodeBlock: block },
      start: isLarge ? Number(inode.readBigUInt64LE(16)) : inode.readUInt32LE(16),
      fragmentOffset: inode.readUInt32LE(isLarge ? 48 : 24),
      sizesAt: offset + (isLarge ? 56 : 32),
    }
  }

  async function* piecesOf(file: Awaited<ReturnType<typeof readFile>>) {
    budget.spend('entries', file.count)
    const sizes = await blocks.metadata(inodes + file.inodeBlock, file.sizesAt, file.count * 4)
    let at = file.start
    for (let index = 0; index < file.count; index += 1) {
      const stored = sizes.readUInt32LE(index * 4)
      const expected = Math.min(blockSize, file.size - index * blockSize)
      yield await blocks.data(at, stored, expected)
      at += stored & 0xff_ffff
    }
    if (file.fragment === NO_FRAGMENT) return
    const table = await source.read(fragments + Math.floor(file.fragment / 512) * 8, 8)
    const place = (file.fragment % 512) * 16
    const entry = await blocks.metadata(Number(table.readBigUInt64LE()), place, 16)
    const whole = await blocks.data(
      Number(entry.readBigUInt64LE(0)),
      entry.readUInt32LE(8),
      blockSize,
    )
    yield whole.subarray(file.fragmentOffset, file.fragmentOffset + (file.size % blockSize))
  }
}

/** Runs of entries, of which the inodes are in one block. */
function listingIn(bytes: Buffer) {
  const entries: { name: string; type: number; block: number; offset: number }[] = []
  for (let at = 0; at < bytes.length; ) {
    const count = bytes.readUInt32LE(at) + 1
    const block = bytes.readUInt32LE(at + 4)
    at += 12
    for (let index = 0; index < count; index += 1) {
      const length = bytes.readUInt16LE(at + 6) + 1
      entries.push({
        name: bytes.toString('utf8', at + 8, at + 8 + length),
        type: bytes.readUInt16LE(at + 4),
        ...{ block, offset: bytes.readUInt16LE(at) },
      })
      at += 8 + length
    }
  }
  return entries
}
