import { randomUUID } from 'node:crypto'
import { writeDurably } from '../durable.ts'
import { openSource, type Source } from '../making/source.ts'
import { BlockMap, packBlocks } from './block-map.ts'
import { areBlocksOf, readGivenMap } from './given-map.ts'

export interface BlockMapTask {
  readonly makes: 'block_map'
  readonly from: Source
  /** Bytes of the content. */
  readonly size: number
  /** Block maps that were uploaded under its name, each of at most `MAX_GIVEN` bytes: the first that is of it is taken. */
  readonly given: readonly { readonly name: string; readonly from: Source }[]
  /** Where the block map is written. */
  readonly to: string
}

/** Makes the block map of a file, or takes a given one. Adds the names of those of other files to `refused`. Throws why it cannot. */
export async function makeBlockMap(
  task: BlockMapTask,
  signal: AbortSignal,
  refused: string[],
): Promise<void> {
  const content = (await givenMap(task, signal, refused)) ?? (await newMap(task, signal))
  await writeDurably(task.to, content, `${task.to}.${randomUUID()}`)
}

async function newMap({ from, size }: BlockMapTask, signal: AbortSignal): Promise<Buffer> {
  const map = new BlockMap()
  for await (const piece of await openSource(from, signal)) map.add(piece)
  const content = map.end()
  if (map.bytes !== size) throw new Error(`the file has ${map.bytes} bytes instead of ${size}`)
  return content
}

/** Returns the first of the given block maps that is of the file, without what else it may contain. */
async function givenMap({ from, given }: BlockMapTask, signal: AbortSignal, refused: string[]) {
  for (const each of given) {
    const pieces = []
    for await (const piece of await openSource(each.from, signal)) pieces.push(piece)
    const blocks = await readGivenMap(Buffer.concat(pieces))
    if (blocks !== undefined && (await areBlocksOf(blocks, await openSource(from, signal)))) {
      return packBlocks(blocks)
    }
    refused.push(each.name)
  }
  return undefined
}
