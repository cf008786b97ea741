import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdDecompress } from 'node:zlib'
import { writeDurably } from '../durable.ts'
import { openSource, type Source } from '../making/source.ts'
import { copiesIn } from './copies.ts'
import { WORTHWHILE } from './limits.ts'
import { HEADER, patchPieces } from './patch-frame.ts'

interface Side {
  readonly from: Source
  /** Bytes. */
  readonly size: number
  /** Lower-case hex. */
  readonly sha512: string
}

export interface PatchTask {
  readonly makes: 'patch'
  readonly base: Side
  readonly next: Side
  /** Where the patch is written, with the SHA-256 of the base in hex behind it. */
  readonly to: string
}

/** Small pieces that are put together: each of its own takes more memory than its bytes. */
const TOGETHER = 1_000
/** Digits of the largest window: what clients support (RFC 9842, 5). */
const WINDOW = 27

/** Makes and checks the patch of two files; an empty file if it is not worthwhile. Takes about the memory of both. Throws why not. */
export async function makePatch({ base, next, to }: PatchTask, signal: AbortSignal): Promise<void> {
  const old = await read(base, signal)
  const baseHash = createHash('sha256').update(old).digest()
  const pieces = compare(old, baseHash, await read(next, signal))
  if (pieces.length > 0 && (await patched(old, pieces)) !== next.sha512) {
    throw new Error('the patch makes another file')
  }
  const path = `${to}${baseHash.toString('hex')}`
  await writeDurably(path, Buffer.concat(pieces), `${path}.${randomUUID()}`)
}

/** A patch in large pieces; none if it is not worthwhile. */
function compare(base: Buffer, baseHash: Buffer, next: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  let small: Uint8Array[] = []
  let length = 0
  const content = { baseSize: base.length, baseHash, next, copies: copiesIn(base, next) }
  for (const piece of patchPieces(content)) {
    length += piece.length
    if (length > next.length * WORTHWHILE) return []
    small.push(piece)
    if (small.length < TOGETHER) continue
    pieces.push(Buffer.concat(small))
    small = []
  }
  return [...pieces, Buffer.concat(small)]
}

/** The SHA-512 of what a patch makes of a base, by the decompressor that Node has. */
async function patched(base: Buffer, [header = Buffer.alloc(0), ...rest]: Buffer[]) {
  const hash = createHash('sha512')
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW }
  const frame = [header.subarray(HEADER), ...rest]
  const decompress = createZstdDecompress({ dictionary: base, params })
  await pipeline(Readable.from(frame), decompress, async (pieces) => {
    for await (const piece of pieces) hash.update(piece)
  })
  return hash.digest('hex')
}

async function read({ from, size, sha512 }: Side, signal: AbortSignal): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(size)
  const hash = createHash('sha512')
  let at = 0
  for await (const piece of await openSource(from, signal)) {
    hash.update(piece)
    if (at + piece.length <= size) content.set(piece, at)
    at += piece.length
  }
  if (at !== size) throw new Error(`the file has ${at} bytes instead of ${size}`)
  if (hash.digest('hex') !== sha512) throw new Error('the file has another content')
  return content
}
