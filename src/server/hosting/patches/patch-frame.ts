import type { Copy } from './copies.ts'

/** Bytes that a block has at most when it is decompressed (RFC 8878, 3.1.1.2.4). */
export const MAX_BLOCK = 128 * 1_024
/** Bytes of the smallest window with which a block can have that many. */
const LEAST_WINDOW = 17
/** What a patch starts with, before the SHA-256 of the base (RFC 9842, 5): a skippable frame of Zstandard. */
const DCZ = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0])
/** Bytes before the Zstandard frame. */
export const HEADER = DCZ.length + 32
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** A frame with a window and 4 bytes for its size, without a checksum: whoever patches knows the one of the file. */
const WITH_SIZE = 0x80

const RAW = 0
const COMPRESSED = 2

export interface PatchContent {
  readonly baseSize: number
  /** SHA-256 of the base. */
  readonly baseHash: Uint8Array
  readonly next: Uint8Array
  /** Pieces of the base, in the order of `next`. */
  readonly copies: Iterable<Copy>
}

/**
 * Writes what turns a base into `next`, piece by piece: one Zstandard frame with the base as its dictionary, in the `dcz`
 * coding of RFC 9842. Node's own compressor is not used, because it finds nothing but the last 16 MiB of a dictionary, and
 * needs memory for several tables of the size of it. What is not in the base is stored as it is.
 */
export function* patchPieces({
  baseSize,
  baseHash,
  next,
  copies,
}: PatchContent): Generator<Uint8Array, void> {
  yield Buffer.concat([DCZ, baseHash, frameHeader(next.length)])
  let done = 0
  for (const { at, from, length } of copies) {
    yield* stored(next.subarray(done, at))
    done = at + length
    // The dictionary lies before the frame, so that all of a copy is equally far away.
    const distance = at + baseSize - from
    for (let left = length; left > 0; ) {
      const some = blockOf(left)
      yield copied(some, distance)
      left -= some
    }
  }
  yield* stored(next.subarray(done))
  yield blockHeader(RAW, 0, true)
}

/** How many bytes of what is left of a copy the next block has: none may be left that are too few for a block. */
function blockOf(left: number): number {
  return left > MAX_BLOCK && left < MAX_BLOCK + LEAST_MATCH
    ? left - LEAST_MATCH
    : Math.min(left, MAX_BLOCK)
}

function frameHeader(size: number): Buffer {
  const header = Buffer.alloc(10)
  ZSTD.copy(header)
  header[4] = WITH_SIZE
  header[5] = windowFor(size)
  header.writeUInt32LE(size, 6)
  return header
}

/** The smallest window in which all of a content lies: the dictionary is known for that long (RFC 8878, 3.1.1.1.2). */
function windowFor(size: number): number {
  const digits = Math.max(LEAST_WINDOW, Math.floor(Math.log2(size || 1)))
  const eighths = Math.max(0, Math.ceil((size - 2 ** digits) / 2 ** (digits - 3)))
  return eighths === 8 ? (digits + 1 - 10) << 3 : ((digits - 10) << 3) | eighths
}

function* stored(content: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < content.length; at += MAX_BLOCK) {
    const some = content.subarray(at, at + MAX_BLOCK)
    yield blockHeader(RAW, some.length)
    yield some
  }
}

function blockHeader(type: number, size: number, isLast = false): Buffer {
  const header = Buffer.alloc(3)
  header.writeUIntLE((size << 3) | (type << 1) | Number(isLast), 0, 3)
  return header
}

/** Bytes of the shortest match of a sequence. */
const LEAST_MATCH = 3
/** The codes of match lengths from 32 on: from which length, and by how many digits more (RFC 8878, 3.1.1.3.2.1.1). */
const MATCH_CODES = [
  [35, 1],
  [37, 1],
  [39, 1],
  [41, 1],
  [43, 2],
  [47, 2],
  [51, 3],
  [59, 3],
  [67, 4],
  [83, 4],
  [99, 5],
  [131, 7],
  [259, 8],
  [515, 9],
  [1_027, 10],
  [2_051, 11],
  [4_099, 12],
  [8_195, 13],
  [16_387, 14],
  [32_771, 15],
  [65_539, 16],
] as const
/** Offsets below mean one of the last. */
const FIRST_OFFSET = 3
/** The modes of all three tables: one code, which follows. */
const ONE_CODE_EACH = 0b01_01_01_00

/** A block without literals and with one sequence, whose codes need no table. */
function copied(length: number, distance: number): Buffer {
  const [lengthCode, lengthMore, lengthDigits] = matchCode(length)
  const offset = distance + FIRST_OFFSET
  const offsetCode = Math.floor(Math.log2(offset))
  // It is read from its end, where a 1 marks the first digit.
  const digits = offsetCode + lengthDigits
  let bits = (1n << BigInt(digits)) | (BigInt(offset - 2 ** offsetCode) << BigInt(lengthDigits))
  bits |= BigInt(lengthMore)
  const literals = [0]
  const content = [...literals, 1, ONE_CODE_EACH, 0, offsetCode, lengthCode]
  for (; bits > 0n; bits >>= 8n) content.push(Number(bits & 0xffn))
  return Buffer.concat([blockHeader(COMPRESSED, content.length), Buffer.from(content)])
}

/** The code of a match length, with what is added to it and in how many digits. */
function matchCode(length: number): readonly [code: number, more: number, digits: number] {
  const at = MATCH_CODES.findLastIndex(([least]) => length >= least)
  const entry = MATCH_CODES[at]
  if (entry === undefined) return [length - LEAST_MATCH, 0, 0]
  return [32 + at, length - entry[0], entry[1]]
}
