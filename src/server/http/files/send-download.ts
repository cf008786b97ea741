import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { HostingPart } from '../../compose/hosting-part.ts'
import { networkKey } from '../../runtime/limits/address-key.ts'
import { HttpError } from '../answer/errors.ts'
import { isKnown } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { text } from '../strings.ts'
import { cacheHeaders, type Download, downloadHeaders, OCTETS } from './file-headers.ts'
import { lengthOf, pieceSize, readPieces, type Segment, SMALL_PIECE } from './read-pieces.ts'
import { sendFile } from './send-file.ts'

/** Bytes of a file from one position to another, with both. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a request asks for of a file: all of it, one part or several. */
type Asked =
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
function askedOf(
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
function bytesLeftOut(parts: readonly ByteRange[], size: number): number {
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

/** Answers a request with what it asks for of a download, in its turn. Throws an `HttpError`. */
export async function sendDownload(
  request: Request,
  response: Response,
  download: Download,
  { hosting, context }: { readonly hosting: HostingPart; readonly context: ApiContext },
): Promise<void> {
  const { headers } = request
  const { size, etag } = download
  if (isKnown(etag, headers['if-none-match'])) {
    response.status(304).set(cacheHeaders(download)).end()
    return
  }
  // Only GET has ranges (RFC 9110 section 14.2).
  const asked = request.method === 'HEAD' ? ALL : askedOf(download, headers)
  if (asked.kind === 'unsatisfiable') {
    throw new HttpError(416, text.files.range(size), { 'Content-Range': `bytes */${size}` })
  }
  const body = asked.kind === 'all' ? wholeBody(size) : partialBody(asked.parts, size)
  const head = { ...downloadHeaders(download), ...body.headers }
  const handle = await download.open()
  try {
    if (request.method === 'HEAD') {
      response.set(head).end()
      return
    }
    const client = callerAddress(request, context)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    // The client may have left while the file was opened.
    if (response.destroyed) return
    const place = await hosting.slots.take(networkKey(client), gone.signal)
    if (!place.ok) {
      if (gone.signal.aborted) return
      throw busy(place.reason === 'total' ? 503 : 429, place.retrySeconds)
    }
    const { bandwidth, slots } = hosting
    const line = bandwidth.begin(client)
    try {
      response.writeHead(body.status, head)
      const { isLimited } = bandwidth
      const piece = isLimited ? SMALL_PIECE : pieceSize(slots.counts.running)
      const { segments, length } = body
      const read = readPieces({ handle, segments }, piece)
      const counts = context.downloadCounts
      const kind = download.kind === 'file' && asked.kind === 'parts' ? 'part' : download.kind
      const onSent = (bytes: number) => counts?.addBytes(kind, bytes)
      await sendFile(response, { length, read, onSent, wait: isLimited ? line.wait : undefined })
      if (!response.writableFinished) return
      const leftOut = asked.kind === 'parts' ? bytesLeftOut(asked.parts, size) : 0
      counts?.addCompleted(kind, download.saved ?? leftOut)
    } finally {
      line.end()
      place.release()
    }
  } finally {
    await handle.close()
  }
}

/** Why a download has to be tried again. */
export function busy(status: 429 | 503, retrySeconds: number): HttpError {
  const headers = { 'Retry-After': String(retrySeconds) }
  return new HttpError(status, text.files.busy(retrySeconds), headers)
}

interface FileBody {
  readonly status: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  readonly segments: readonly Segment[]
  /** Bytes of all segments. */
  readonly length: number
}

/** All of a file with that many bytes. */
function wholeBody(size: number): FileBody {
  return bodyOf(200, {}, [{ start: 0, length: size }])
}

/** Parts of a file with that many bytes: one by itself, several as `multipart/byteranges` (RFC 9110 section 14.6). */
function partialBody(parts: readonly ByteRange[], size: number): FileBody {
  const [first, ...more] = parts.map((part) => ({
    content: { start: part.start, length: part.end - part.start + 1 },
    range: `bytes ${part.start}-${part.end}/${size}`,
  }))
  if (first === undefined) throw new Error('a partial body without parts')
  if (more.length === 0) return bodyOf(206, { 'Content-Range': first.range }, [first.content])
  const boundary = randomUUID()
  const segments = [first, ...more].flatMap(({ content, range }, at): Segment[] => {
    const head = `--${boundary}\r\nContent-Type: ${OCTETS}\r\nContent-Range: ${range}\r\n\r\n`
    return [{ bytes: Buffer.from(at === 0 ? head : `\r\n${head}`) }, content]
  })
  const end = { bytes: Buffer.from(`\r\n--${boundary}--\r\n`) }
  const type = `multipart/byteranges; boundary=${boundary}`
  return bodyOf(206, { 'Content-Type': type }, [...segments, end])
}

function bodyOf(
  status: FileBody['status'],
  headers: FileBody['headers'],
  segments: readonly Segment[],
): FileBody {
  const length = segments.reduce((total, each) => total + lengthOf(each), 0)
  return { status, headers: { ...headers, 'Content-Length': String(length) }, segments, length }
}
