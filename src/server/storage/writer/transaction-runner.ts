import type { CatalogWrites, KeyUse } from '../../catalog/store.ts'
import type { OutboxWrites } from '../../outbox/store.ts'
import type { PeopleWrites, SessionUse } from '../../people/store.ts'

/** What can be called inside a transaction: the catalog, the people and the outbox share one. */
export interface Areas {
  readonly catalog: CatalogWrites
  readonly people: PeopleWrites
  readonly outbox: OutboxWrites
}

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
  /** Stores a first offer where the release still has that revision, inside a transaction. */
  offerFirst(releaseId: string, seenRevision: number): Promise<boolean>
  /** Records when keys were used, inside a transaction. */
  setUsed(uses: readonly KeyUse[]): Promise<void>
  /** Records when sessions were used, inside a transaction. */
  setSessionsUsed(uses: readonly SessionUse[]): Promise<void>
  /** Closes the connection. A transaction in progress is rolled back. */
  close(): Promise<void>
}
