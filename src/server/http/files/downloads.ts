import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { Refusal } from '../../catalog/errors.ts'
import type { HostingPart } from '../../compose/hosting-part.ts'
import { hasName, isFileName } from '../../hosting/file-addresses.ts'
import { FileDamaged } from '../../hosting/file-folder.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { BucketStore, FileStore, FolderStore } from '../../hosting/file-store.ts'
import { BLOCK_MAP, mappedFile } from '../../use-cases/files/mapped-file.ts'
import { HttpError } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { limitAddress } from '../request/rate-limit.ts'
import { text } from '../strings.ts'
import { A_YEAR, type Download, etagOfFile } from './file-headers.ts'
import { PATCH_VARY, patchFor } from './patch-download.ts'
import { busy, sendDownload } from './send-download.ts'

interface PacedTime {
  /** Monotonic clock, in milliseconds. */
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<unknown>
}

const REAL: PacedTime = {
  clock: () => performance.now(),
  wait: (milliseconds) => delay(milliseconds),
}

/**
 * Returns a function that runs `work` for its callers: once for all who have called since it last began, and at most once in
 * `every` milliseconds, so that many callers cost no more than one. It rejects as `work` does.
 */
export function paced(
  work: () => Promise<void>,
  every: number,
  { clock, wait }: PacedTime = REAL,
): () => Promise<void> {
  let begunAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined
  const run = async () => {
    await wait(Math.max(0, begunAt + every - clock()))
    next = undefined
    begunAt = clock()
    await work()
  }
  return () => {
    next ??= run()
    return next
  }
}

/** Seconds after which a download is tried again for which a bucket could not be used. */
const RETRY_AFTER = 30

/** Sends who downloads a file to its bucket, with an address that works for some hours. Asks the bucket for nothing. */
async function redirectToBucket(
  stored: BucketStore,
  file: StoredFile,
  request: Request,
  response: Response,
  { failures }: ApiContext,
): Promise<void> {
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  const url = await stored.addressOf(file, method).catch((error: unknown) => fail(error, failures))
  response.status(302).set({ Location: url, 'Cache-Control': 'no-store' }).end()
}

function fail(error: unknown, failures: ApiContext['failures']): never {
  if (!(error instanceof Refusal)) throw error
  failures.error(error, 'could not use the bucket for a download')
  throw new HttpError(503, text.files.unavailable, { 'Retry-After': String(RETRY_AFTER) })
}

/** Milliseconds between two looks for files that other nodes have stored, however many callers ask for unknown ones. */
const LOOK_EVERY = 250
/** Seconds for which a block map is fresh: a name may mean another file once a release is published. */
const MAP_AGE = 60 * 60
/** Seconds after which a block map is asked for again that takes long to make. */
const MAP_RETRY = 30

/** `GET /files/{id}/{name}`: stored files, and the block maps of those in releases, for everybody, within limits. */
export function downloadRoutes(context: ApiContext): RequestHandler {
  const routes = Router({ strict: true, caseSensitive: true })
  const refresh = async () => await context.hosting?.files.stored.refresh()
  // Without other nodes, there is nothing to look for.
  const look = context.nodes === undefined ? async () => {} : paced(refresh, LOOK_EVERY)
  routes.get('/:id/:name', limitAddress(context), async (request, response) => {
    const { hosting } = context
    const [id, name] = [String(request.params.id), String(request.params.name)]
    const isName = isFileName(id, name) || isFileName(id, withoutEnd(name))
    if (hosting === undefined || !isName) throw notFound()
    const { stored } = hosting.files
    // Who downloads does not hear why a bucket cannot be used.
    await stored.ready().catch((error: unknown) => fail(error, context.failures))
    const file = await findFile(stored, id, look)
    if (file === undefined) throw notFound()
    if (file.name !== name && name.endsWith(BLOCK_MAP)) {
      const download = await blockMapOf(hosting, file, name, context)
      await sendDownload(request, response, download, { hosting, context })
      return
    }
    if (!hasName(file, name)) throw notFound()
    const { patches } = hosting.files
    const vary = patches.hasFor(file) ? { vary: PATCH_VARY } : {}
    const patch = await patchFor(patches, file, name, request.headers)
    if (patch !== undefined) {
      await sendDownload(request, response, { ...patch, ...vary }, { hosting, context })
      return
    }
    if (stored.kind === 'bucket') {
      await redirectToBucket(stored, file, request, response, context)
      return
    }
    const download = { ...downloadOf(stored, file, name, context), ...vary }
    await sendDownload(request, response, download, { hosting, context })
  })
  return routes
}

/** Finds a file by its address, also one that another node has just stored. */
async function findFile(stored: FileStore, id: string, look: () => Promise<void>) {
  const known = stored.find(id)
  if (known !== undefined) return known
  await look()
  return stored.find(id)
}

function downloadOf(
  stored: FolderStore,
  file: StoredFile,
  name: string,
  { failures }: ApiContext,
): Download {
  return {
    ...{ name, size: file.size, etag: etagOfFile(file), maxAge: A_YEAR },
    kind: /-delta\.nupkg$/i.test(file.name) ? 'delta' : 'file',
    open: () =>
      stored.open(file).catch((error: unknown) => {
        if (!(error instanceof FileDamaged)) throw error
        failures.error(error, 'stored file lost')
        throw notFound()
      }),
  }
}

/** The block map that a name means beside a file. Throws 404 if there is none, and 503 while it is made. */
async function blockMapOf(
  { files }: HostingPart,
  beside: StoredFile,
  name: string,
  { catalog }: ApiContext,
): Promise<Download> {
  const mapped = mappedFile(catalog.snapshot, files.stored, beside, withoutEnd(name))
  if (mapped === undefined) throw notFound()
  const { file, app } = mapped
  const found = await files.blockMaps.find(file, app)
  if (found.state === 'none') throw notFound()
  if (found.state === 'busy') throw busy(503, MAP_RETRY)
  const { size, path } = found
  return {
    ...{ name, size, maxAge: MAP_AGE, kind: 'block_map' },
    // Another version of zlib compresses the same to other bytes.
    etag: `W/${etagOfFile(file)}`,
    open: () =>
      open(path).catch(() => {
        throw notFound()
      }),
  }
}

/** The name of the file whose block map has that name. */
function withoutEnd(name: string): string {
  return name.endsWith(BLOCK_MAP) ? name.slice(0, -BLOCK_MAP.length) : name
}

function notFound(): HttpError {
  return new HttpError(404, text.files.unknown)
}
