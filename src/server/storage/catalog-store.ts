import { setTimeout as delay } from 'node:timers/promises'
import {
  type CatalogStore,
  type CatalogWrites,
  DuplicateError,
  type KeyUse,
} from '../catalog/store.ts'
import { CatalogReader } from './catalog-reader.ts'
import { AsyncCatalogReads, CatalogTransaction } from './catalog-transaction.ts'
import { CatalogWriter } from './catalog-writer.ts'
import { BUSY_TIMEOUT, type Connection, type OpenOptions, openDatabase } from './database.ts'
import { guarded, isBusy, StorageError, storageError } from './errors.ts'
import { Mutex } from './mutex.ts'

/** Milliseconds between two tries for the write lock that another connection holds. */
const RETRY_INTERVAL = 3

export interface CatalogStoreOptions extends Pick<OpenOptions, 'checkpoint' | 'cacheKiB'> {
  /** Asked before every write; where it rejects, nothing is written. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
}

/**
 * Opens the catalog in a prepared database, on two connections of its own: one for transactions,
 * one that reads what is committed. Throws `StorageError`.
 */
export function createSqliteCatalogStore(
  databaseFile: string,
  options: CatalogStoreOptions = {},
): SqliteCatalogStore {
  return new SqliteCatalogStore(databaseFile, options)
}

/** The catalog in SQLite. Beside what is refused for a reason, it throws `StorageError`. */
export class SqliteCatalogStore extends AsyncCatalogReads implements CatalogStore {
  readonly #file: string
  readonly #database: Connection
  readonly #reader: CatalogReader
  readonly #txReader: CatalogReader
  readonly #writer: CatalogWriter
  readonly #readDatabase: Connection
  readonly #beforeWrite: () => Promise<void>
  readonly #mutex = new Mutex()
  #seen: { dataVersion: number; revision: number } | undefined

  constructor(file: string, options: CatalogStoreOptions) {
    super()
    this.#file = file
    this.#beforeWrite = options.beforeWrite ?? (async () => {})
    this.#database = openDatabase(file, options)
    try {
      // Waiting for the lock in SQLite would block this thread: see #begin.
      this.#database.pragma('busy_timeout = 0')
      this.#txReader = guarded(file, () => new CatalogReader(this.#database))
      this.#writer = guarded(file, () => new CatalogWriter(this.#database, this.#txReader))
      this.#readDatabase = openDatabase(file, { ...options, readonly: true })
      this.#reader = new CatalogReader(this.#readDatabase)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /**
   * True where the committed catalog is another than that of `revision`, whoever changed it.
   * Synchronous and, where nothing was committed since the last call, a matter of microseconds.
   */
  isNewerThan(revision: number): boolean {
    return this.ask((reader) => {
      // Any commit of any connection changes the data version, and telemetry commits all the
      // time: the revision then tells. In this order a commit in between is seen next time.
      const dataVersion = reader.dataVersion()
      if (this.#seen?.dataVersion !== dataVersion) {
        this.#seen = { dataVersion, revision: reader.revision() }
      }
      return this.#seen.revision !== revision
    })
  }

  async transact<T>(work: (tx: CatalogWrites) => Promise<T>): Promise<T> {
    return await this.#mutex.run(async () => {
      await this.#beforeWrite()
      await this.#begin()
      const tx = new CatalogTransaction({
        database: this.#database,
        reader: this.#txReader,
        writer: this.#writer,
        guard: (write) => this.#guard(write),
      })
      try {
        const result = await work(tx)
        tx.end()
        this.#guard(() => this.#database.exec('COMMIT'))
        return result
      } catch (error) {
        tx.end()
        this.#rollback()
        throw error
      }
    })
  }

  async recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length === 0) return
    await this.#mutex.run(async () => {
      await this.#beforeWrite()
      await this.#begin()
      try {
        this.#guard(() => {
          for (const use of uses) this.#writer.setUsed(use)
          this.#database.exec('COMMIT')
        })
      } catch (error) {
        this.#rollback()
        throw error
      }
    })
  }

  /** Closes both connections. A transaction that is under way is undone. */
  close(): void {
    this.#readDatabase.close()
    this.#database.close()
  }

  protected override ask<T>(question: (reader: CatalogReader) => T): T {
    return this.#guard(() => question(this.#reader))
  }

  /** Takes the write lock. Waits up to 5 s for it, without holding up the thread. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + BUSY_TIMEOUT
    for (;;) {
      try {
        this.#refuseClosed()
        this.#database.exec('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw storageError(error, this.#file)
      }
      await delay(RETRY_INTERVAL)
    }
  }

  #rollback(): void {
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK')
  }

  #guard<T>(work: () => T): T {
    this.#refuseClosed()
    try {
      return work()
    } catch (error) {
      throw error instanceof DuplicateError ? error : storageError(error, this.#file)
    }
  }

  #refuseClosed(): void {
    if (this.#database.open) return
    throw new StorageError('closed', `The catalog in ${this.#file} is closed.`)
  }
}
