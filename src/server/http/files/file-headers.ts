import { attachment } from '../../hosting/attachment.ts'
import type { StoredFile } from '../../hosting/file-index.ts'

/** Seconds for which a file is fresh, which never changes under its address. */
const A_YEAR = 31_536_000

/** The strong ETag of a file: its content. */
export function etagOfFile({ sha512 }: Pick<StoredFile, 'sha512'>): string {
  return `"${sha512.slice(0, 64)}"`
}

/**
 * Headers of a download. It is on the origin of the console, so that nothing may show or run it there: not as a page, not
 * in a frame, not as a script of another type.
 */
export function fileHeaders(file: StoredFile, name: string): Record<string, string> {
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': attachment(name),
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': `public, max-age=${A_YEAR}, immutable`,
    'Accept-Ranges': 'bytes',
    ETag: etagOfFile(file),
  }
}

/** One range of bytes: from a position on, from one to another, or the last so many. */
const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i

/** What part of a file a request asks for. */
export type Part =
  | { readonly kind: 'all' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

/**
 * Returns the part of a file that `Range` asks for (RFC 9110 section 14). All of it if the file has changed since, by
 * `If-Range`, and for several parts at once, which a server may refuse to send.
 */
export function partOf(
  file: StoredFile,
  {
    range,
    'if-range': ifRange,
  }: { readonly range?: string | undefined; readonly 'if-range'?: string | undefined },
): Part {
  if (range === undefined) return { kind: 'all' }
  if (ifRange !== undefined && ifRange !== etagOfFile(file)) return { kind: 'all' }
  const [found, from, to, suffix] = RANGE.exec(range) ?? []
  if (found === undefined) return { kind: 'all' }
  const { size } = file
  const start = from === undefined ? Math.max(0, size - Number(suffix)) : Number(from)
  const end = Math.min(size - 1, Number(to ?? size - 1))
  if (to !== undefined && Number(to) < start) return { kind: 'all' }
  return start < size ? { kind: 'part', start, end } : { kind: 'unsatisfiable' }
}
