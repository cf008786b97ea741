import type { CatalogStore } from '../../../catalog/store.ts'
import type { OutboxStore } from '../../../outbox/store.ts'
import type { PeopleStore } from '../../../people/store.ts'
import type { Part } from '../../relational/statements.ts'
import type { Closing, StoredPart } from '../../relational/stored-part.ts'
import { catalogStore, outboxStore, peopleStore } from '../../relational/stores.ts'
import { watchRevision } from '../../shared/watch.ts'
import type { OpenOptions } from '../database.ts'
import { ReadConnection } from '../read-connection.ts'
import { Transactions, type TransactionsOptions } from '../writer/transactions.ts'

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

/** A part that reads on a connection of its own. The transactions are closed by their owner. Throws `StorageError`. */
function sqlitePart(
  file: string,
  part: Part,
  transactions: Transactions,
  options: Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>,
): StoredPart {
  const committed = new ReadConnection(file, part, options)
  return {
    committed,
    revision: async () => committed.revision(),
    newest: () => committed.revision(),
    watch: (listener) => watchRevision(() => committed.revision(), listener),
    transact: (area, work, within) => transactions.transact(area, work, within),
    close: async () => committed.close(),
  }
}
