import { type Compression, decompressed } from '../archives/decompress.ts'
import { type Budget, damaged } from '../budget.ts'
import { memorySource, type Source } from '../source.ts'

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
export class SquashfsBlocks {
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
    const [oldest] = this.#kept.size < KEPT ? [] : this.#kept.keys()
    if (oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(at, block)
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
