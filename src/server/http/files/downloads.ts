import { type RequestHandler, Router } from 'express'
import { hasName, isFileName } from '../../hosting/file-addresses.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { FileStore } from '../../hosting/file-store.ts'
import { FileDamaged } from '../../hosting/stored-files.ts'
import { networkKey } from '../../limits/network-key.ts'
import { HttpError } from '../answer/errors.ts'
import { isKnown } from '../answer/etag.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { limitAddress } from '../request/rate-limit.ts'
import { text } from '../strings.ts'
import { redirectToBucket, whenReady } from './bucket-redirect.ts'
import { etagOfFile, fileHeaders, partOf } from './file-headers.ts'
import { paced } from './paced.ts'
import { pieceSize, readPieces, SMALL_PIECE } from './read-pieces.ts'
import { sendFile } from './send-file.ts'

/** Milliseconds between two looks for files that other nodes have stored, however many callers ask for unknown ones. */
const LOOK_EVERY = 250

/** `GET /files/{id}/{name}`: stored files for everybody, at most so many at the same time and so fast. */
export function downloadRoutes(context: ApiContext): RequestHandler {
  const routes = Router({ strict: true, caseSensitive: true })
  const refresh = async () => await context.hosting?.files.stored.refresh()
  // Without other nodes, there is nothing to look for.
  const look = context.nodes === undefined ? async () => {} : paced(refresh, LOOK_EVERY)
  routes.get('/:id/:name', limitAddress(context), async (request, response) => {
    const { hosting, failures } = context
    const { id = '', name = '' } = request.params
    if (hosting === undefined || !isFileName(String(id), String(name))) throw notFound()
    const { stored } = hosting.files
    await whenReady(stored, context)
    const file = await findFile(stored, String(id), look)
    if (file === undefined || !hasName(file, String(name))) throw notFound()
    if (stored.kind === 'bucket') {
      await redirectToBucket(stored, file, request, response, context)
      return
    }
    const { headers } = request
    if (isKnown(etagOfFile(file), headers['if-none-match'])) {
      const { ETag, 'Cache-Control': cacheControl } = fileHeaders(file, '')
      response.status(304).set({ ETag, 'Cache-Control': cacheControl }).end()
      return
    }
    const part = partOf(file, headers)
    if (part.kind === 'unsatisfiable') {
      throw new HttpError(416, text.files.range(file.size), {
        'Content-Range': `bytes */${file.size}`,
      })
    }
    const handle = await stored.open(file).catch((error: unknown) => {
      if (!(error instanceof FileDamaged)) throw error
      failures.error(error, 'stored file lost')
      throw notFound()
    })
    try {
      const { start, end } = part.kind === 'all' ? { start: 0, end: file.size - 1 } : part
      const length = end - start + 1
      const head = {
        ...fileHeaders(file, String(name)),
        'Content-Length': String(length),
        ...(part.kind === 'all' ? {} : { 'Content-Range': rangeOf(part, file) }),
      }
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
        const status = place.reason === 'total' ? 503 : 429
        const retry = { 'Retry-After': String(place.retrySeconds) }
        throw new HttpError(status, text.files.busy(place.retrySeconds), retry)
      }
      const { bandwidth, slots } = hosting
      const line = bandwidth.begin(client)
      try {
        response.writeHead(part.kind === 'all' ? 200 : 206, head)
        const { isLimited } = bandwidth
        const size = isLimited ? SMALL_PIECE : pieceSize(slots.counts.running)
        await sendFile(response, {
          ...{ length, read: readPieces({ handle, start, length }, size) },
          wait: isLimited ? line.wait : undefined,
        })
      } finally {
        line.end()
        place.release()
      }
    } finally {
      await handle.close()
    }
  })
  return routes
}

/** Finds a file by its address, also one that another node has just stored. */
async function findFile(
  stored: FileStore,
  id: string,
  look: () => Promise<void>,
): Promise<StoredFile | undefined> {
  const known = stored.find(id)
  if (known !== undefined) return known
  await look()
  return stored.find(id)
}

function rangeOf({ start, end }: { start: number; end: number }, { size }: StoredFile): string {
  return `bytes ${start}-${end}/${size}`
}

function notFound(): HttpError {
  return new HttpError(404, text.files.unknown)
}
