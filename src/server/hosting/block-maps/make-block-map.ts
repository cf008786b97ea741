import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeDurably } from '../durable.ts'
import { BlockMap } from './block-map.ts'

/** A file of which a block map is made. */
export interface BlockMapTask {
  /** Where the content is: on disk, or at an address of the bucket. */
  readonly from: { readonly path: string } | { readonly signed: string }
  /** Bytes of the content. */
  readonly size: number
  /** Where the block map is written. */
  readonly to: string
}

/** Why a block map could not be made; null if it was. */
export type BlockMapAnswer = { readonly failure: string | null }

/** Bytes that are read at once. */
const PIECE = 256 * 1_024

/** Makes the block map of a file and writes it so that after a crash all of it is there, or nothing. Never throws. */
export async function makeBlockMap(
  { from, size, to }: BlockMapTask,
  signal: AbortSignal,
): Promise<BlockMapAnswer> {
  try {
    const map = new BlockMap()
    for await (const piece of await open(from, signal)) map.add(piece)
    const content = map.end()
    if (map.bytes !== size) throw new Error(`the file has ${map.bytes} bytes instead of ${size}`)
    await writeDurably(to, content, `${to}.${randomUUID()}`)
    return { failure: null }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

async function open(
  from: BlockMapTask['from'],
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if ('path' in from) return createReadStream(from.path, { signal, highWaterMark: PIECE })
  const { status, body } = await fetch(from.signed, { signal, redirect: 'error' })
  if (status !== 200 || body === null) throw new Error(`the bucket answered ${status}`)
  return body
}
