import { open, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, inflateRaw } from 'node:zlib'
import { type Blocks, bytesOfNewBlocks, readBlocks } from './blocks.ts'
import { MAX_GIVEN, MAX_UNPACKED } from './given-map.ts'

/** Where a block map is on disk: a file, or the end of one, as in an AppImage. */
export interface MapPlace {
  readonly path: string
  readonly isAtEnd: boolean
}

/** Two block maps that are compared. */
export interface ComparisonTask {
  readonly makes: 'comparison'
  readonly from: MapPlace
  readonly to: MapPlace
}

/** Bytes of its length, which is behind it. */
const LENGTH = 4

const unzip = promisify(gunzip)
const inflate = promisify(inflateRaw)

/** Returns the bytes of the blocks that only the second file has. Throws if a block map is missing or damaged. */
export async function changedBytes({ from, to }: ComparisonTask): Promise<number> {
  return bytesOfNewBlocks(await blocksAt(from), await blocksAt(to))
}

async function blocksAt({ path, isAtEnd }: MapPlace): Promise<Blocks> {
  const options = { maxOutputLength: MAX_UNPACKED }
  return readBlocks(
    isAtEnd
      ? await inflate(await endOf(path), options)
      : await unzip(await readFile(path), options),
  )
}

/** As electron-builder appends it to an AppImage (`embeddedBlockMapDataProvider` in electron-updater reads it). */
async function endOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer: length } = await file.read(Buffer.alloc(LENGTH), { position: size - LENGTH })
    const bytes = length.readUInt32BE()
    if (bytes > Math.min(MAX_GIVEN, size - LENGTH)) throw new Error('no block map at its end')
    const position = size - LENGTH - bytes
    return (await file.read(Buffer.alloc(bytes), { position })).buffer
  } finally {
    await file.close()
  }
}
