import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { StoredFile } from '../file-index.ts'
import type { FileStore } from '../file-store.ts'

/** Where the content of a file is: on disk, or at an address of the bucket. */
export type Source = { readonly path: string } | { readonly signed: string }

/** Bytes that are read at once. */
const PIECE = 256 * 1_024

/** Returns where the content of a stored file is. Throws `bucket_unavailable`. */
export async function sourceOf(stored: FileStore, file: StoredFile): Promise<Source> {
  if (stored.kind === 'folder') return { path: stored.pathOf(file) }
  return { signed: await stored.addressOf(file, 'GET') }
}

/** Opens a content. Throws what the bucket answers instead, and errors of the operating system while it is read. */
export async function openSource(
  from: Source,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if ('path' in from) return createReadStream(from.path, { signal, highWaterMark: PIECE })
  return await openSigned(from.signed, 200, { signal })
}

/** Reads the bytes from `begin` up to `end`. Throws the same, and for a content that ends before. */
export async function readPart(
  from: Source,
  begin: number,
  end: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const last = Math.max(end - 1, 0)
  const content =
    'path' in from
      ? createReadStream(from.path, { signal, start: begin, end: last })
      : await openSigned(from.signed, 206, { signal, headers: { range: `bytes=${begin}-${last}` } })
  const read = await buffer(content)
  if (read.length < end - begin) throw new Error(`it has ${read.length} bytes from ${begin} on`)
  return read
}

async function openSigned(address: string, expected: number, options: RequestInit) {
  const { status, body } = await fetch(address, { ...options, redirect: 'error' })
  if (status !== expected || body === null) throw new Error(`the bucket answered ${status}`)
  return body
}
