import type { Areas } from '../../relational/areas.ts'
import { WorkerClient } from '../threads/worker-client.ts'

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

/**
 * Returns what runs transactions on a separate thread, so that no check waits for a lock or a disk. When the thread
 * dies, SQLite rolls back what was not committed, and the next `begin` starts another thread. `file`: the database.
 */
export function writerThread(file: string): TransactionRunner {
  const thread = new WorkerClient<TransactionRunner>({ role: 'writer', file })
  return {
    begin: (within) => thread.ask('begin', within),
    call: (area, name, args) => thread.ask('call', area, name, args),
    commit: () => thread.ask('commit'),
    rollback: () => thread.ask('rollback'),
    close: () => thread.close(),
  }
}
