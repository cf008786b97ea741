/** Bytes of a file from one position to another, with both. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a request asks for of a file: all of it, one part or several. */
export type Asked =
  | { readonly kind: 'all' }
  | { readonly kind: 'parts'; readonly parts: readonly ByteRange[] }
  | { readonly kind: 'unsatisfiable' }

/** Headers of a request that ask for parts of a file. */
interface RangeHeaders {
  readonly range?: string | undefined
  readonly 'if-range'?: string | undefined
}

const UNIT = /^bytes=(.*)$/i
/** From a position on, from one to another, or the last so many. */
const RANGE = /^[ \t]*(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))[ \t]*$/
/** Parts of one answer; electron-updater asks for 500 at most. */
const MAX_PARTS = 1_000

const ALL: Asked = { kind: 'all' }

/**
 * Returns what `Range` asks for (RFC 9110 section 14). All of the file if it has changed since, by `If-Range`, and for parts
 * that a server may refuse to send: too many, overlapping or not in their order, which would cost more than all of it.
 */
export function askedOf(
  { size, etag }: { readonly size: number; readonly etag: string },
  { range, 'if-range': ifRange }: RangeHeaders,
): Asked {
  if (range === undefined) return ALL
  // Weak ones never are the same here (RFC 9110 section 13.1.5).
  if (ifRange !== undefined && (ifRange !== etag || etag.startsWith('W/'))) return ALL
  const [, list] = UNIT.exec(range) ?? []
  const texts = list?.split(',', MAX_PARTS + 1) ?? []
  const ranges = texts.map((text) => rangeOf(text, size))
  if (ranges.length === 0 || ranges.length > MAX_PARTS || ranges.includes(undefined)) return ALL
  const parts = ranges.filter((part) => part !== undefined).filter(({ start }) => start < size)
  if (parts.length === 0) return { kind: 'unsatisfiable' }
  const isInOrder = parts.every(({ start }, at) => at === 0 || start > (parts[at - 1]?.end ?? 0))
  return isInOrder ? { kind: 'parts', parts } : ALL
}

/**
 * Returns the bytes of a file with that many that an answer with several parts leaves out, because the client has them from
 * before: electron-updater asks for up to 500 blocks at once (`multipleRangeDownloader.ts`). 0 for a single part, which may as
 * well be the rest of a download, or one of many requests for all of the file.
 */
export function bytesLeftOut(parts: readonly ByteRange[], size: number): number {
  if (parts.length < 2) return 0
  return parts.reduce((left, { start, end }) => left - (end - start + 1), size)
}

/** Undefined for what is none. The last 0 bytes begin behind the end, and so cannot be sent. */
function rangeOf(text: string, size: number): ByteRange | undefined {
  const [found, from, to, suffix] = RANGE.exec(text) ?? []
  if (found === undefined) return undefined
  const start = from === undefined ? Math.max(0, size - Number(suffix)) : Number(from)
  if (to !== undefined && Number(to) < start) return undefined
  return { start, end: Math.min(size - 1, Number(to ?? size - 1)) }
}
