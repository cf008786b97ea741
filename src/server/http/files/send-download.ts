import type { Request, Response } from 'express'
import type { HostingPart } from '../../compose/hosting-part.ts'
import { networkKey } from '../../limits/network-key.ts'
import { HttpError } from '../answer/errors.ts'
import { isKnown } from '../answer/etag.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { text } from '../strings.ts'
import { partialBody, wholeBody } from './body.ts'
import { cacheHeaders, type Download, downloadHeaders } from './file-headers.ts'
import { askedOf, bytesLeftOut } from './ranges.ts'
import { pieceSize, readPieces, SMALL_PIECE } from './read-pieces.ts'
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
