import { type Request, type RequestHandler, Router } from 'express'
import { z } from 'zod'
import { HostedFileId, MAX_FILE_BYTES, UploadId } from '../../../shared/files/hosted-file.ts'
import type { Principal } from '../../use-cases/principal.ts'
import type { Updates } from '../../use-cases/updates.ts'
import { parseInput } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'

/** Path parameters of a stored file. */
const FilePath = z.object({ sha512: HostedFileId })

/** Path parameters of an unfinished upload. */
export const UploadPath = z.object({ id: UploadId })

/** What the routes of stored files work with, and who calls: `principalOf` throws for who may not. */
export interface FileRoutesParts {
  readonly updates: Pick<
    Updates,
    | 'uploadFiles'
    | 'finishUpload'
    | 'findFile'
    | 'listFiles'
    | 'deleteFile'
    | 'listUploads'
    | 'deleteUpload'
  >
  readonly failures: ApiContext['failures']
  readonly principalOf: (request: Request) => Principal
  /** Run before the routes that read, and those that write. */
  readonly reading?: readonly RequestHandler[]
  readonly writing?: readonly RequestHandler[]
}

/** List, find and delete stored files. */
export function storedFileRoutes(parts: FileRoutesParts): Router {
  const { principalOf, reading = [], writing = [] } = parts
  const router = Router()

  router.get('/', ...reading, async (request, response) => {
    response.json(await parts.updates.listFiles(principalOf(request)))
  })

  router.get('/:sha512', ...writing, async (request, response) => {
    const { sha512 } = parseInput(FilePath, request.params)
    response.json(await parts.updates.findFile(principalOf(request), { sha512 }))
  })

  router.delete('/:sha512', ...writing, async (request, response) => {
    const { sha512 } = parseInput(FilePath, request.params)
    response.json({ file: await parts.updates.deleteFile(principalOf(request), { sha512 }) })
  })

  return router
}

/** The version of the protocol (tus.io, 1.0.0). Apart from `tus-server.ts`, whose library takes 13 MB. */
export const TUS_VERSION = '1.0.0'

/** What the server supports beyond the core of the protocol. */
export const TUS_EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'termination',
  'expiration',
] as const

/**
 * Answers `OPTIONS` of the uploads with what the server supports (tus protocol 1.0.0, "OPTIONS"), without a key. It allows
 * no other origin: pages elsewhere have no key that they could use.
 */
export function uploadOptions({ hosting }: Pick<ApiContext, 'hosting'>): RequestHandler {
  return (_request, response, next) => {
    if (hosting === undefined) return next()
    response.set({
      'Tus-Resumable': TUS_VERSION,
      'Tus-Version': TUS_VERSION,
      'Tus-Extension': TUS_EXTENSIONS.join(','),
      'Tus-Max-Size': String(MAX_FILE_BYTES),
      'Cache-Control': 'no-store',
    })
    response.status(204).end()
  }
}
