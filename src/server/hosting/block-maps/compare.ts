import { readFile } from 'node:fs/promises'
import { bytesOfNewBlocks, readBlocks } from './blocks.ts'

/** Two block maps on disk that are compared. */
export interface ComparisonTask {
  readonly makes: 'comparison'
  readonly from: string
  readonly to: string
}

/** Returns the bytes of the blocks that only the second file has. Throws if a block map is damaged. */
export async function changedBytes(
  { from, to }: ComparisonTask,
  signal: AbortSignal,
): Promise<number> {
  const [old, next] = await Promise.all(
    [from, to].map(async (path) => readBlocks(await readFile(path, { signal }))),
  )
  if (old === undefined || next === undefined) throw new Error('unreachable: both are read')
  return bytesOfNewBlocks(old, next)
}
