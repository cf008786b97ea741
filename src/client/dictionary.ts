import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Transform } from 'node:stream'
// Not by their names: Node.js before 22.15 has none of them.
import zlib from 'node:zlib'

/** Bytes of the largest file that a patch applies to, and digits of the largest one that it makes (RFC 9842, 5). */
const MAX_BASE = 128 * 1_024 ** 2
const WINDOW = 27
/** What a patch starts with, before the SHA-256 of its base. */
const MAGIC = Buffer.from('5e2a4d1820000000', 'hex')
const HEADER = MAGIC.length + 32
/** The word `dictionary` as a frame that refers to itself as a dictionary. */
const PROBE = Buffer.from('28b52ffd80380a0000003c00000001540003070d010000', 'hex')

/** A file that a patch can apply to. */
export interface Dictionary {
  readonly content: Buffer
  /** SHA-256. */
  readonly hash: Buffer
}

/**
 * Reads a file that patches are to apply to; undefined if that is impossible: it is missing, empty or too large, or Node.js is
 * older than 22.19 or 24.6 and has no dictionaries of Zstandard.
 */
export async function readDictionary(path: string): Promise<Dictionary | undefined> {
  try {
    const { size } = await stat(path)
    if (size === 0 || size > MAX_BASE || !hasDictionaries()) return undefined
    const content = await readFile(path)
    return { content, hash: createHash('sha256').update(content).digest() }
  } catch {
    return undefined
  }
}

/** Returns the frame of a patch. Throws if it is none, or applies to another file. */
export async function* frameOf(
  patch: AsyncIterable<Uint8Array>,
  { hash }: Dictionary,
): AsyncGenerator<Uint8Array, void> {
  let header = Buffer.alloc(0)
  for await (const piece of patch) {
    if (header.length === HEADER) {
      yield piece
      continue
    }
    const read = Buffer.concat([header, piece])
    header = read.subarray(0, HEADER)
    if (header.length < HEADER) continue
    if (!header.equals(Buffer.concat([MAGIC, hash])))
      throw new Error('the patch is of another file')
    yield read.subarray(HEADER)
  }
  if (header.length < HEADER) throw new Error('the patch is not complete')
}

/** Creates what makes a file of the frame of a patch. Throws if there is not the memory. */
export function applying({ content }: Dictionary): Transform {
  const params = { [zlib.constants.ZSTD_d_windowLogMax]: WINDOW }
  return zlib.createZstdDecompress({ dictionary: content, params })
}

function hasDictionaries(): boolean {
  const word = Buffer.from('dictionary')
  return zlib.zstdDecompressSync(PROBE, { dictionary: word }).equals(word)
}
