import { RemoteCallError } from '../../../remote/connection-error.ts'
import { Refusal } from '../../catalog/errors.ts'
import { ApiError } from './remote-errors.ts'

/** Returns whether publishing failed because the version exists on the channel, wherever the server is. */
export function isDuplicateRelease(error: unknown): boolean {
  if (error instanceof Refusal) return error.facts.code === 'release_exists'
  // Docs/api.md, "Errors": of publishing, 409 has no other meaning.
  if (error instanceof ApiError) return error.status === 409
  if (error instanceof RemoteCallError) {
    return 'refusal' in error.error && error.error.refusal.code === 'release_exists'
  }
  return error instanceof Error && error.cause !== undefined && isDuplicateRelease(error.cause)
}
