import { promisify } from 'node:util'
import { gunzip, inflateRaw } from 'node:zlib'
import { readPart, type Source } from '../making/source.ts'
import { type Blocks, bytesOfNewBlocks, readBlocks } from './block-map.ts'
import { MAX_GIVEN, MAX_UNPACKED } from './given-map.ts'

/** Where a block map is: a file of that many bytes, or the end of one, as in an AppImage. */
export interface MapPlace {
  readonly from: Source
  readonly size: number
  readonly isAtEnd: boolean
}

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
export async function changedBytes(
  { from, to }: ComparisonTask,
  signal: AbortSignal,
): Promise<number> {
  return bytesOfNewBlocks(await blocksAt(from, signal), await blocksAt(to, signal))
}

async function blocksAt({ from, size, isAtEnd }: MapPlace, signal: AbortSignal): Promise<Blocks> {
  const options = { maxOutputLength: MAX_UNPACKED }
  const read = (begin: number, end: number) => readPart(from, begin, end, signal)
  if (!isAtEnd) return readBlocks(await unzip(await read(0, size), options))
  // As electron-builder appends it to an AppImage (`embeddedBlockMapDataProvider` in electron-updater reads it).
  const end = size - LENGTH
  const bytes = (await read(end, size)).readUInt32BE()
  if (bytes > Math.min(MAX_GIVEN, end)) throw new Error('no block map at its end')
  return readBlocks(await inflate(await read(end - bytes, end), options))
}
