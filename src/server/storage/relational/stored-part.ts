import type { CatalogListener, TransactOptions } from '../../catalog/store.ts'
import type { Areas } from './areas.ts'
import type { Questions } from './statements.ts'

/** A part of a database as its store uses it, on either engine. Rejects with `StorageError`. */
export interface StoredPart {
  /** Asks for what is committed. */
  readonly committed: Questions
  /** The committed revision. */
  revision(): Promise<number>
  /** The newest revision that this process knows of. Takes microseconds. */
  newest(): number
  /** See `CatalogStore.watch`. */
  watch(listener: CatalogListener): () => void
  /** See `CatalogStore.transact`. */
  transact<Area extends keyof Areas, T>(
    area: Area,
    work: (area: Areas[Area]) => Promise<T>,
    options?: TransactOptions,
  ): Promise<T>
  /** A transaction in progress is undone. */
  close(): Promise<void>
}

/** A store, until `close`. */
export type Closing<Store> = Store & { close(): Promise<void> }
