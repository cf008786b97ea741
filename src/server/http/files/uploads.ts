import { type RequestHandler, Router } from 'express'
import { parseInput } from '../answer/errors.ts'
import { keepOpen } from '../listener/closing.ts'
import { allowLong } from '../listener/raw-answer.ts'
import { type FileRoutesParts, TUS_VERSION, UploadPath } from './stored-files.ts'
import type { TusServer } from './tus-server.ts'

/** Of uploads, as of the files that they become: see `storedFileRoutes`. */
type Parts = Pick<FileRoutesParts, 'updates' | 'failures' | 'principalOf'>

const METHODS: ReadonlySet<string> = new Set(['HEAD', 'PATCH'])

/** Uploads by tus 1.0.0 with creation, termination and expiration, and their list. Mounted under a path that ends in `uploads`. */
export function createUploads(parts: Parts): RequestHandler {
  let server: TusServer | undefined
  const router = Router()
  router.get('/', async (request, response) => {
    response.json(await parts.updates.listUploads(parts.principalOf(request)))
  })
  // Not by the library, which lets nobody delete what others upload, or what waits for the bucket.
  router.delete('/:id', async (request, response) => {
    const { id } = parseInput(UploadPath, request.params)
    await parts.updates.deleteUpload(parts.principalOf(request), { id })
    response.set('Tus-Resumable', TUS_VERSION).status(204).end()
  })
  router.use(async (request, response, next) => {
    const principal = parts.principalOf(request)
    const { method, path, headers } = request
    const { hosting, owner } = parts.updates.uploadFiles(principal)
    const isKnown = path === '/' ? method === 'POST' : METHODS.has(method)
    if (!isKnown) return next()
    // The library is loaded with the first upload.
    const { TusServer } = await import('./tus-server.ts')
    server ??= new TusServer(parts, hosting.incoming)
    response.set('Cache-Control', 'no-store')
    request.once('end', () => keepOpen(response))
    const endLong = allowLong(request)
    try {
      if (headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
      server.callers.set(request, { principal, owner })
      await server.handle(request, response)
    } finally {
      endLong()
    }
  })
  return router
}
