import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { HostingPart } from '../../compose/hosting-part.ts'
import { networkKey } from '../../limits/network-key.ts'
import { HttpError } from '../answer/errors.ts'
import { isKnown } from '../answer/etag.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { text } from '../strings.ts'
import { cacheHeaders, type Download, downloadHeaders, OCTETS } from './file-headers.ts'
import { askedOf, type ByteRange, bytesLeftOut } from './ranges.ts'
import { lengthOf, pieceSize, readPieces, type Segment, SMALL_PIECE } from './read-pieces.ts'
import { sendFile } from './send-file.ts'

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
  const asked = askedOf(download, headers)
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

/** What is sent of a file, and the headers that say so. */
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
