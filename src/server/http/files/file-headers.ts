import type { FileHandle } from 'node:fs/promises'
import { attachment } from '../../hosting/file-addresses.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { DownloadKind } from '../../monitoring/counts.ts'

/** Seconds for which a file is fresh, which never changes under its address. */
export const A_YEAR = 31_536_000

/** The media type of every download, and of the parts of one. */
export const OCTETS = 'application/octet-stream'

export interface Download {
  /** What it is, if it is sent as a whole. */
  readonly kind: Exclude<DownloadKind, 'part'>
  /** Under which it is saved. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly etag: string
  /** Seconds for which it need not be asked for again; 0 for never stored. */
  readonly maxAge: number
  /** Bytes of the file that a client need not download with it. */
  readonly saved?: number
  /** The content coding, for a patch; one with none is sent as it is. */
  readonly coding?: string
  /** The request headers on which it depends what is sent. */
  readonly vary?: string
  /** Throws an `HttpError`. The caller closes what it returns. */
  open(): Promise<FileHandle>
}

/** The strong ETag of a file: its content. */
export function etagOfFile({ sha512 }: Pick<StoredFile, 'sha512'>): string {
  return `"${sha512.slice(0, 64)}"`
}

/** What validates what a client has of a download, and how long it need not ask. */
export function cacheHeaders({ etag, maxAge, vary }: Pick<Download, 'etag' | 'maxAge' | 'vary'>) {
  const age = `public, max-age=${maxAge}`
  const known = maxAge === A_YEAR ? `${age}, immutable` : age
  return {
    ETag: etag,
    'Cache-Control': maxAge === 0 ? 'no-store' : known,
    ...(vary !== undefined && { Vary: vary }),
  }
}

/** Headers of a download. It is on the console's origin, so nothing may run it there: no page, frame or script. */
export function downloadHeaders(download: Download): Record<string, string> {
  return {
    'Content-Type': OCTETS,
    'Content-Disposition': attachment(download.name),
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(download.coding === undefined
      ? { 'Accept-Ranges': 'bytes' }
      : { 'Content-Encoding': download.coding }),
    ...cacheHeaders(download),
  }
}
