import type {
  CatalogChanges,
  CatalogListener,
  CatalogStore,
  CatalogWrites,
  KeyUse,
  TransactOptions,
} from '../../catalog/store.ts'
import { storageError } from '../sqlite/errors.ts'
import type { TransactionRunner } from '../writer/transaction-runner.ts'
import { Transactions, type TransactionsOptions } from '../writer/transactions.ts'
import { watchRevision } from '../writer/watch.ts'
import { AsyncCatalogReads } from './async-reads.ts'
import { CatalogChangeReader } from './catalog-changes.ts'
import { CatalogReader } from './catalog-reader.ts'
import { ReadConnection } from './read-connection.ts'

/**
 * Opens the catalog in a prepared database, on two connections of its own: one for transactions,
 * one for reading committed data. Throws `StorageError`.
 */
export function createSqliteCatalogStore(
  databaseFile: string,
  options: TransactionsOptions = {},
): SqliteCatalogStore {
  return new SqliteCatalogStore(databaseFile, options)
}

/** The catalog in SQLite. Its methods throw `StorageError`, besides the refusals of their interface. */
export class SqliteCatalogStore extends AsyncCatalogReads implements CatalogStore {
  /** The transactions of the database, which other stores of it share. */
  readonly transactions: Transactions
  readonly #reading: ReadConnection<{
    readonly committed: CatalogReader
    readonly changes: CatalogChangeReader
  }>

  constructor(file: string, options: TransactionsOptions) {
    super()
    const { checkpoint, cacheKiB } = options
    this.#reading = new ReadConnection(file, { checkpoint, cacheKiB }, (database) => {
      const committed = new CatalogReader(database)
      return { committed, changes: new CatalogChangeReader(database, committed) }
    })
    try {
      this.transactions = new Transactions(file, options)
    } catch (error) {
      this.#reading.close()
      throw storageError(error, file)
    }
  }

  async changesSince(revision: number): Promise<CatalogChanges | null> {
    return this.#reading.ask(({ changes }) => changes.since(revision))
  }

  watch(listener: CatalogListener): () => void {
    return watchRevision(() => this.#reading.ask(({ changes }) => changes.revision()), listener)
  }

  async transact<T>(
    work: (tx: CatalogWrites) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    return await this.transactions.transact('catalog', work, options)
  }

  async offerFirst(
    releaseId: string,
    seenRevision: number,
    options: TransactOptions = {},
  ): Promise<boolean> {
    const offer = (runner: TransactionRunner) => runner.offerFirst(releaseId, seenRevision)
    return await this.transactions.run(offer, options)
  }

  async recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length > 0) await this.transactions.run((runner) => runner.setUsed(uses))
  }

  /** Closes both connections. A transaction in progress is rolled back. */
  async close(): Promise<void> {
    this.#reading.close()
    await this.transactions.close()
  }

  protected override ask<T>(question: (reader: CatalogReader) => T): T {
    return this.#reading.ask(({ committed }) => question(committed))
  }
}
