import type { ApiContext } from '../context.ts'
import { principalOf, requireKeyOrLocal } from '../request/auth.ts'
import { storedFileRoutes } from './stored-files.ts'
import { createUploads } from './uploads.ts'

/** `/api/v1/files`, and `/api/v1/uploads` by the tus protocol. */
export function publicFileRoutes(context: ApiContext) {
  const { updates, failures } = context
  const reading = [requireKeyOrLocal(context, 'read')]
  const writing = [requireKeyOrLocal(context, 'publish')]
  const parts = { updates, failures, principalOf, reading, writing }
  return { files: storedFileRoutes(parts), uploads: [...writing, createUploads(parts)] }
}
