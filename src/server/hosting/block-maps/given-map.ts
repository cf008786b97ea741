import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { type Blocks, checksumOf, LEAST, MOST } from './block-map.ts'

const unzip = promisify(gunzip)

/** Bytes of the largest block map that is read, and of what is in it: those of files of 2 GiB have some MB. */
export const MAX_GIVEN = 8 * 1_024 ** 2
export const MAX_UNPACKED = 24 * 1_024 ** 2

const Size = z.int().min(1).max(MOST)
const GivenMap = z.looseObject({
  version: z.literal('2'),
  files: z.tuple([
    z.looseObject({ offset: z.literal(0), checksums: z.array(z.string()), sizes: z.array(Size) }),
  ]),
})

/** Reads a block map that somebody has uploaded, as electron-builder writes it; undefined for anything else. */
export async function readGivenMap(content: Uint8Array): Promise<Blocks | undefined> {
  try {
    const text = (await unzip(content, { maxOutputLength: MAX_UNPACKED })).toString()
    const { checksums, sizes } = GivenMap.parse(JSON.parse(text)).files[0]
    // Smaller ones would cost more requests than they save bytes.
    const isCut = sizes.slice(0, -1).every((size) => size >= LEAST)
    return isCut && checksums.length === sizes.length ? { checksums, sizes } : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a content, which comes piece by piece, is made of exactly those blocks. */
export async function areBlocksOf(
  { checksums, sizes }: Blocks,
  pieces: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const block = new Uint8Array(MOST)
  let index = 0
  let length = 0
  for await (const piece of pieces) {
    let at = 0
    while (at < piece.length) {
      const size = sizes[index]
      if (size === undefined) return false
      const some = piece.subarray(at, at + size - length)
      block.set(some, length)
      length += some.length
      at += some.length
      if (length < size) continue
      if (checksumOf(block.subarray(0, size)) !== checksums[index]) return false
      index += 1
      length = 0
    }
  }
  return index === sizes.length && length === 0
}
