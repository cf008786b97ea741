import { createReadStream } from 'node:fs'
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
  const { status, body } = await fetch(from.signed, { signal, redirect: 'error' })
  if (status !== 200 || body === null) throw new Error(`the bucket answered ${status}`)
  return body
}
