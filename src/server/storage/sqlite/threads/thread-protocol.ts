import { messageOf } from '../../../../shared/basics/message-of.ts'
import type { StorageProblem } from '../../../../shared/operation/storage-problem.ts'
import { DuplicateError } from '../../../catalog/store.ts'
import { isOfSqlite, storageProblem } from '../../data-folder/errors.ts'
import { StorageError } from '../../interface/storage-error.ts'

/** What a thread is for. */
export type ThreadRole = 'telemetry' | 'writer' | 'reader'

/** What a thread is started with: its work, and the database. */
export interface ThreadTask {
  readonly role: ThreadRole
  readonly file: string
  /** The file that a `telemetry` thread may write to: see `fileIdentity`. */
  readonly identity?: string
}

/** Ends the work of a thread, after the requests before it. */
export const CLOSE = 'close'

/** A request to a thread, which answers under the same number: a method of its work, or `CLOSE`. */
export interface Request {
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
}

/** A thread's response to the request with that number. */
export type Answer<Value> =
  | { readonly id: number; readonly ok: true; readonly value: Value }
  | { readonly id: number; readonly ok: false; readonly failure: ThreadFailure }

/** The work of one thread on one database. */
export interface ThreadWork {
  /** What can be asked. Opened by the first request, so that the caller gets the error if it cannot be. */
  methods(): object
  /** A request has thrown that error. */
  failed?(error: unknown): void
  /** A request with these arguments has been answered, with a value or an error. */
  answered?(args: readonly unknown[]): void
  /** Closes the database. */
  close(): void | Promise<void>
}

/** An error as it is sent between threads, which would drop its class. */
type ThreadFailure =
  | { readonly kind: 'storage'; readonly problem: StorageProblem }
  | { readonly kind: 'duplicate' | 'other'; readonly message: string }

/** Serializes an error about `file` for another thread. */
export function packFailure(error: unknown, file: string): ThreadFailure {
  if (error instanceof StorageError || isOfSqlite(error)) {
    return { kind: 'storage', problem: storageProblem(error, file) }
  }
  const message = messageOf(error)
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
