import type { RequestHandler } from 'express'
import { MAX_FILE_BYTES } from '../../../shared/files/hosted-file.ts'
import type { ApiContext } from '../context.ts'

/** The version of the protocol (tus.io, 1.0.0). */
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
