import type { StorageErrorCode } from '../../../shared/storage-problem.ts'
import { DuplicateError } from '../../catalog/store.ts'
import { isOfSqlite, StorageError, storageError } from '../sqlite/errors.ts'

/** An error as sent between threads, where its class would be lost. */
export interface ThreadFailure {
  readonly message: string
  readonly kind: 'duplicate' | 'storage' | 'other'
  /** Set for storage failures. */
  readonly code?: StorageErrorCode
}

/** Serializes an error for another thread. SQLite errors keep their message and get a code. */
export function packFailure(error: unknown): ThreadFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof DuplicateError) return { message, kind: 'duplicate' }
  if (error instanceof StorageError || isOfSqlite(error)) {
    return { message, kind: 'storage', code: storageError(error, 'the database').code }
  }
  return { message, kind: 'other' }
}

/** Recreates an error that another thread serialized. */
export function unpackFailure({ message, kind, code = 'failed' }: ThreadFailure): Error {
  switch (kind) {
    case 'duplicate':
      return new DuplicateError(message)
    case 'storage':
      return new StorageError(code, message)
    case 'other':
      return new Error(message)
    default:
      return kind satisfies never
  }
}
