import type { Areas } from '../../relational/areas.ts'

/**
 * Runs transactions, one at a time: on this thread, or on a separate one. Every method
 * rejects with `StorageError`, `call` also with `DuplicateError`.
 */
export interface TransactionRunner {
  /** Takes the write lock, waiting up to that many milliseconds. */
  begin(within: number): Promise<void>
  /** Calls that method of an area of the transaction: see `areaClient`, which has their types. */
  call(area: keyof Areas, name: string, args: readonly unknown[]): Promise<unknown>
  commit(): Promise<void>
  /** Rolls the transaction back; does nothing if there is none. */
  rollback(): Promise<void>
  /** Closes the connection. A transaction in progress is rolled back. */
  close(): Promise<void>
}
