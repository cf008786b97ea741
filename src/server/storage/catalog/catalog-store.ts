import {
  type CatalogChanges,
  type CatalogListener,
  type CatalogStore,
  type CatalogWrites,
  DuplicateError,
  type KeyUse,
  type TransactOptions,
} from '../../catalog/store.ts'
import { type Connection, openDatabase } from '../sqlite/database.ts'
import { storageError } from '../sqlite/errors.ts'
import type { TransactionRunner } from '../writer/transaction-runner.ts'
import { Transactions, type TransactionsOptions } from '../writer/transactions.ts'
import { watchRevision } from '../writer/watch.ts'
import { closed } from '../writer/writer-connection.ts'
import { CatalogChangeReader } from './catalog-changes.ts'
import { CatalogReader } from './catalog-reader.ts'
import { AsyncCatalogReads } from './catalog-transaction.ts'
import { TransactionClient } from './transaction-client.ts'

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
  readonly #file: string
  readonly #reader: CatalogReader
  readonly #changes: CatalogChangeReader
  readonly #readDatabase: Connection

  constructor(file: string, options: TransactionsOptions) {
    super()
    const { checkpoint, cacheKiB } = options
    this.#file = file
    this.#readDatabase = openDatabase(file, { checkpoint, cacheKiB, readonly: true })
    try {
      this.#reader = new CatalogReader(this.#readDatabase)
      this.#changes = new CatalogChangeReader(this.#readDatabase, this.#reader)
      this.transactions = new Transactions(file, options)
    } catch (error) {
      this.#readDatabase.close()
      throw storageError(error, file)
    }
  }

  async changesSince(revision: number): Promise<CatalogChanges | null> {
    return this.ask(() => this.#changes.since(revision))
  }

  watch(listener: CatalogListener): () => void {
    return watchRevision(() => this.ask(() => this.#changes.revision()), listener)
  }

  async transact<T>(
    work: (tx: CatalogWrites) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    const connect = (runner: TransactionRunner) => new TransactionClient(runner, this.#file)
    return await this.transactions.transact(connect, work, options)
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
    this.#readDatabase.close()
    await this.transactions.close()
  }

  protected override ask<T>(question: (reader: CatalogReader) => T): T {
    if (!this.#readDatabase.open) throw closed(this.#file)
    try {
      return question(this.#reader)
    } catch (error) {
      throw error instanceof DuplicateError ? error : storageError(error, this.#file)
    }
  }
}
