import type { CatalogStore } from '../catalog/store.ts'
import type { OutboxStore } from '../outbox/store.ts'
import type { PeopleStore } from '../people/store.ts'
import { catalogStore } from './relational/catalog-store.ts'
import { outboxStore } from './relational/outbox-store.ts'
import { peopleStore } from './relational/people-store.ts'
import type { Closing } from './relational/stored-part.ts'
import { sqlitePart } from './writer/sqlite-part.ts'
import { Transactions, type TransactionsOptions } from './writer/transactions.ts'

/** Page cache in KiB: what is stored of people and webhooks is small. */
const SMALL = { checkpoint: 'elsewhere', cacheKiB: 1_024 } as const

export interface SqliteCatalogStore extends Closing<CatalogStore> {
  /** The transactions of the database, which other stores of it share. */
  readonly transactions: Transactions
}

/**
 * Opens the catalog in a prepared database, on two connections of its own: one for transactions,
 * one for reading committed data. Throws `StorageError`.
 */
export function createSqliteCatalogStore(
  file: string,
  options: TransactionsOptions = {},
): SqliteCatalogStore {
  const transactions = new Transactions(file, options)
  const { checkpoint, cacheKiB } = options
  try {
    const part = sqlitePart(file, 'catalog', transactions, { checkpoint, cacheKiB })
    const close = async () => {
      await part.close()
      await transactions.close()
    }
    return { ...catalogStore(part), transactions, close }
  } catch (error) {
    void transactions.close()
    throw error
  }
}

/** Opens the people in a prepared database. `transactions`: those of its catalog. Throws `StorageError`. */
export function createSqlitePeopleStore(
  file: string,
  transactions: Transactions,
): Closing<PeopleStore> {
  return peopleStore(sqlitePart(file, 'people', transactions, SMALL))
}

/** The same for webhooks and deliveries. */
export function createSqliteOutboxStore(
  file: string,
  transactions: Transactions,
): Closing<OutboxStore> {
  return outboxStore(sqlitePart(file, 'outbox', transactions, SMALL))
}
