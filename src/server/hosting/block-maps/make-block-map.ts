import { randomUUID } from 'node:crypto'
import { writeDurably } from '../durable.ts'
import { openSource, type Source } from '../making/source.ts'
import { BlockMap } from './block-map.ts'

/** A file of which a block map is made. */
export interface BlockMapTask {
  readonly makes: 'block_map'
  readonly from: Source
  /** Bytes of the content. */
  readonly size: number
  /** Where the block map is written. */
  readonly to: string
}

/** Makes the block map of a file. Throws why that is impossible. */
export async function makeBlockMap(
  { from, size, to }: BlockMapTask,
  signal: AbortSignal,
): Promise<void> {
  const map = new BlockMap()
  for await (const piece of await openSource(from, signal)) map.add(piece)
  const content = map.end()
  if (map.bytes !== size) throw new Error(`the file has ${map.bytes} bytes instead of ${size}`)
  await writeDurably(to, content, `${to}.${randomUUID()}`)
}
