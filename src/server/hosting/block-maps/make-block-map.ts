import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeDurably } from '../durable.ts'
import { BlockMap, packBlocks } from './block-map.ts'
import { areBlocksOf, readGivenMap } from './given-map.ts'

/** Where the content of a file is: on disk, or at an address of the bucket. */
export type ContentPlace = { readonly path: string } | { readonly signed: string }

/** A file of which a block map is made. */
export interface BlockMapTask {
  readonly from: ContentPlace
  /** Bytes of the content. */
  readonly size: number
  /** Block maps that were uploaded under its name, each of at most `MAX_GIVEN` bytes: the first that is of it is taken. */
  readonly given: readonly { readonly name: string; readonly from: ContentPlace }[]
  /** Where the block map is written. */
  readonly to: string
}

/** `failure`: why a block map could not be made; null if it was. `refused`: names of the given ones that are not of the file. */
export type BlockMapAnswer = {
  readonly failure: string | null
  readonly refused: readonly string[]
}

/** Bytes that are read at once. */
const PIECE = 256 * 1_024

/**
 * Makes the block map of a file, or takes one that was given, and writes it so that after a crash all of it is there, or nothing.
 * Never throws.
 */
export async function makeBlockMap(
  task: BlockMapTask,
  signal: AbortSignal,
): Promise<BlockMapAnswer> {
  const refused: string[] = []
  try {
    const content = (await givenMap(task, signal, refused)) ?? (await newMap(task, signal))
    await writeDurably(task.to, content, `${task.to}.${randomUUID()}`)
    return { failure: null, refused }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), refused }
  }
}

async function newMap({ from, size }: BlockMapTask, signal: AbortSignal): Promise<Buffer> {
  const map = new BlockMap()
  for await (const piece of await open(from, signal)) map.add(piece)
  const content = map.end()
  if (map.bytes !== size) throw new Error(`the file has ${map.bytes} bytes instead of ${size}`)
  return content
}

/** Returns the first of the given block maps that is of the file, without what else it may contain. */
async function givenMap(
  { from, given }: BlockMapTask,
  signal: AbortSignal,
  refused: string[],
): Promise<Buffer | undefined> {
  for (const each of given) {
    const pieces = []
    for await (const piece of await open(each.from, signal)) pieces.push(piece)
    const blocks = await readGivenMap(Buffer.concat(pieces))
    if (blocks !== undefined && (await areBlocksOf(blocks, await open(from, signal)))) {
      return packBlocks(blocks)
    }
    refused.push(each.name)
  }
  return undefined
}

async function open(from: ContentPlace, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  if ('path' in from) return createReadStream(from.path, { signal, highWaterMark: PIECE })
  const { status, body } = await fetch(from.signed, { signal, redirect: 'error' })
  if (status !== 200 || body === null) throw new Error(`the bucket answered ${status}`)
  return body
}
