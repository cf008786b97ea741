import type { StorageProblem } from '../../../../shared/storage-problem.ts'
import { DuplicateError } from '../../../catalog/store.ts'
import { StorageError } from '../../interface/storage-error.ts'
import { isOfSqlite, storageProblem } from '../errors.ts'

/** An error as it is sent between threads, which would drop its class. */
export type ThreadFailure =
  | { readonly kind: 'storage'; readonly problem: StorageProblem }
  | { readonly kind: 'duplicate' | 'other'; readonly message: string }

/** Serializes an error about `file` for another thread. */
export function packFailure(error: unknown, file: string): ThreadFailure {
  if (error instanceof StorageError || isOfSqlite(error)) {
    return { kind: 'storage', problem: storageProblem(error, file) }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { kind: error instanceof DuplicateError ? 'duplicate' : 'other', message }
}

/** Recreates an error that another thread serialized. */
export function unpackFailure(failure: ThreadFailure): Error {
  switch (failure.kind) {
    case 'duplicate':
      return new DuplicateError(failure.message)
    case 'storage':
      return new StorageError(failure.problem)
    case 'other':
      return new Error(failure.message)
    default:
      return failure satisfies never
  }
}
