import {
  type CatalogChanges,
  type CatalogListener,
  type CatalogStore,
  type CatalogWrites,
  DuplicateError,
  type KeyUse,
  type TransactOptions,
} from '../../catalog/store.ts'
import { Turns } from '../../turns.ts'
import { StorageError } from '../interface/storage-error.ts'
import { BUSY_TIMEOUT, type Connection, openDatabase } from '../sqlite/database.ts'
import { storageError } from '../sqlite/errors.ts'
import { CatalogChangeReader } from './catalog-changes.ts'
import {
  CatalogConnection,
  type CatalogConnectionOptions,
  closed,
  type TransactionRunner,
} from './catalog-connection.ts'
import { CatalogReader } from './catalog-reader.ts'
import { CatalogThread } from './catalog-thread.ts'
import { AsyncCatalogReads } from './catalog-transaction.ts'
import { watchCatalog } from './catalog-watch.ts'
import { TransactionClient } from './transaction-client.ts'

/** Milliseconds after which a transaction whose work has not finished is rolled back. */
const WORK_TIME = 10_000
/** Maximum number of transactions that wait for their turn. */
const MAX_WAITING = 1_000

export interface CatalogStoreOptions extends CatalogConnectionOptions {
  /** Runs transactions on a separate thread, which does not checkpoint. */
  readonly thread?: boolean | undefined
  /** Milliseconds that the work of a transaction may take, 10 s by default. */
  readonly workTime?: number | undefined
  /** Called before every write; if it rejects, nothing is written. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
}

/**
 * Opens the catalog in a prepared database, on two connections of its own: one for transactions,
 * one for reading committed data. Throws `StorageError`.
 */
export function createSqliteCatalogStore(
  databaseFile: string,
  options: CatalogStoreOptions = {},
): SqliteCatalogStore {
  return new SqliteCatalogStore(databaseFile, options)
}

/** The catalog in SQLite. Its methods throw `StorageError`, besides the refusals of their interface. */
export class SqliteCatalogStore extends AsyncCatalogReads implements CatalogStore {
  readonly #file: string
  readonly #reader: CatalogReader
  readonly #changes: CatalogChangeReader
  readonly #readDatabase: Connection
  readonly #runner: TransactionRunner
  readonly #workTime: number
  readonly #beforeWrite: () => Promise<void>
  readonly #turns: Turns

  constructor(file: string, options: CatalogStoreOptions) {
    super()
    const { thread = false, workTime = WORK_TIME, beforeWrite, ...connection } = options
    this.#file = file
    this.#turns = new Turns({ waiting: MAX_WAITING, busy: () => tooBusy(file) })
    this.#workTime = workTime
    this.#beforeWrite = beforeWrite ?? (async () => {})
    this.#readDatabase = openDatabase(file, { ...connection, readonly: true })
    try {
      this.#reader = new CatalogReader(this.#readDatabase)
      this.#changes = new CatalogChangeReader(this.#readDatabase, this.#reader)
      this.#runner = thread ? new CatalogThread(file) : new CatalogConnection(file, connection)
    } catch (error) {
      this.#readDatabase.close()
      throw storageError(error, file)
    }
  }

  async changesSince(revision: number): Promise<CatalogChanges | null> {
    return this.ask(() => this.#changes.since(revision))
  }

  watch(listener: CatalogListener): () => void {
    return watchCatalog(() => this.ask(() => this.#changes.revision()), listener)
  }

  async transact<T>(
    work: (tx: CatalogWrites) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    return await this.#transaction(async () => {
      const tx = new TransactionClient(this.#runner, this.#file)
      try {
        return await this.#inTime(work(tx))
      } finally {
        tx.end()
      }
    }, options)
  }

  async offerFirst(
    releaseId: string,
    seenRevision: number,
    options: TransactOptions = {},
  ): Promise<boolean> {
    return await this.#transaction(() => this.#runner.offerFirst(releaseId, seenRevision), options)
  }

  async recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length > 0) await this.#transaction(() => this.#runner.setUsed(uses))
  }

  /** Closes both connections. A transaction in progress is rolled back. */
  async close(): Promise<void> {
    this.#readDatabase.close()
    await this.#runner.close()
  }

  protected override ask<T>(question: (reader: CatalogReader) => T): T {
    this.#refuseClosed()
    try {
      return question(this.#reader)
    } catch (error) {
      throw error instanceof DuplicateError ? error : storageError(error, this.#file)
    }
  }

  /** The time for the lock counts from here, so that the waiting times do not add up. */
  async #transaction<T>(
    work: () => Promise<T>,
    { within = BUSY_TIMEOUT }: TransactOptions = {},
  ): Promise<T> {
    this.#refuseClosed()
    const deadline = performance.now() + within
    return await this.#turns.run(async () => {
      this.#refuseClosed()
      await this.#beforeWrite()
      await this.#runner.begin(Math.max(0, deadline - performance.now()))
      try {
        const result = await work()
        this.#refuseClosed()
        await this.#runner.commit()
        return result
      } catch (error) {
        await this.#rollback()
        throw error
      }
    }, within)
  }

  /** Keeps the error of the transaction if the rollback fails for the same reason. */
  async #rollback(): Promise<void> {
    if (this.#readDatabase.open) await this.#runner.rollback().catch(() => {})
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const detail = `the transaction took more than ${this.#workTime} ms and was undone`
        reject(new StorageError({ code: 'failed', file: this.#file, detail }))
      }, this.#workTime)
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #refuseClosed(): void {
    if (!this.#readDatabase.open) throw closed(this.#file)
  }
}

function tooBusy(file: string): StorageError {
  return new StorageError({ code: 'busy', file, circumstance: { kind: 'many_changes' } })
}
