import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { ProofError } from './proof-error.ts'

/** Where a file is that this server keeps: on disk, with null if it keeps none at the address, or in its bucket. */
export type StoredSource = StoredOnDisk | { readonly signed: string }

interface StoredOnDisk {
  readonly path: string | null
}

/** Opens a file that this server keeps, without HTTP. A missing one has status 404, as for devices. The caller destroys the body. */
export async function openStored({ path }: StoredOnDisk, signal: AbortSignal): Promise<FileBody> {
  const handle = path === null ? undefined : await open(path).catch(missing)
  if (handle === undefined) throw new ProofError({ code: 'status', status: 404 })
  const { size } = await sizeOf(handle)
  const stream = createReadStream('', { fd: handle, signal, highWaterMark: PIECE })
  return { length: size, pieces: stream, isComplete: () => true, destroy: () => stream.destroy() }
}

/** Bytes that are read at once. */
const PIECE = 1_024 * 1_024

async function sizeOf(handle: FileHandle) {
  try {
    return await handle.stat()
  } catch (error) {
    await handle.close()
    throw error
  }
}

function missing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

/** The bytes of an artifact, wherever they come from. */
export interface FileBody {
  /** Bytes, as announced before they arrive; undefined if they are not. */
  readonly length: number | undefined
  readonly pieces: AsyncIterable<Buffer>
  /** After the last piece: whether nothing was cut off. */
  isComplete(): boolean
  destroy(): void
}

/** The body of a response, unread. */
export function bodyOf(response: IncomingMessage): FileBody {
  const length = Number(response.headers['content-length'] ?? Number.NaN)
  return {
    length: Number.isSafeInteger(length) ? length : undefined,
    pieces: response,
    isComplete: () => response.complete,
    destroy: () => response.destroy(),
  }
}
