import { z } from 'zod'

const BlockMapFile = z.looseObject({
  files: z.tuple([
    z.looseObject({ checksums: z.array(z.string()), sizes: z.array(z.int().min(0)) }),
  ]),
})

/** The blocks of a file in their order. */
export interface Blocks {
  readonly checksums: readonly string[]
  /** Bytes. */
  readonly sizes: readonly number[]
}

/** Reads a block map, unpacked, as `BlockMap` writes it. Throws if it is another thing. */
export function readBlocks(content: Buffer): Blocks {
  return BlockMapFile.parse(JSON.parse(content.toString())).files[0]
}

/**
 * Returns the bytes of the blocks that are not in the other file: what electron-updater downloads of a file, besides block maps
 * (`computeOperations` in its `downloadPlanBuilder.ts`).
 */
export function bytesOfNewBlocks(from: Blocks, { checksums, sizes }: Blocks): number {
  const known = new Set(from.checksums.map((checksum, at) => `${checksum} ${from.sizes[at]}`))
  return sizes.reduce(
    (bytes, size, at) => (known.has(`${checksums[at]} ${size}`) ? bytes : bytes + size),
    0,
  )
}
