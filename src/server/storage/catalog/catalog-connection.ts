import { setTimeout as delay } from 'node:timers/promises'
import { type CatalogWrites, DuplicateError, type KeyUse } from '../../catalog/store.ts'
import { StorageError } from '../interface/storage-error.ts'
import { type Connection, type OpenOptions, openDatabase } from '../sqlite/database.ts'
import { guarded, isBusy, storageError, transactionEnded } from '../sqlite/errors.ts'
import { CatalogReader } from './catalog-reader.ts'
import { CatalogTransaction } from './catalog-transaction.ts'
import { CatalogWriter } from './catalog-writer.ts'

/** Milliseconds between retries for the write lock that another connection holds. */
const RETRY_INTERVAL = 3

/** How the connection is opened; serializable for a thread. */
export type CatalogConnectionOptions = Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>

/** Arguments and result of a method of a transaction. */
export type CallArgs<Name extends keyof CatalogWrites> = Parameters<CatalogWrites[Name]>
export type CallResult<Name extends keyof CatalogWrites> = Awaited<ReturnType<CatalogWrites[Name]>>

/**
 * Runs transactions, one at a time: on this thread, or on a separate one. Every method
 * rejects with `StorageError`, `call` also with `DuplicateError`.
 */
export interface TransactionRunner {
  /** Takes the write lock, waiting up to that many milliseconds. */
  begin(within: number): Promise<void>
  /** Calls that method of the transaction. */
  call<Name extends keyof CatalogWrites>(
    name: Name,
    args: CallArgs<Name>,
  ): Promise<CallResult<Name>>
  commit(): Promise<void>
  /** Rolls the transaction back; does nothing if there is none. */
  rollback(): Promise<void>
  /** Stores a first offer where the release still has that revision, inside a transaction. */
  offerFirst(releaseId: string, seenRevision: number): Promise<boolean>
  /** Records when keys were used, inside a transaction. */
  setUsed(uses: readonly KeyUse[]): Promise<void>
  /** Closes the connection. A transaction in progress is rolled back. */
  close(): Promise<void>
}

/** The connection on which the catalog is written. It reads and writes on the calling thread. */
export class CatalogConnection implements TransactionRunner {
  readonly #file: string
  readonly #database: Connection
  readonly #reader: CatalogReader
  readonly #writer: CatalogWriter
  #transaction: CatalogTransaction | undefined

  constructor(file: string, options: CatalogConnectionOptions) {
    this.#file = file
    this.#database = openDatabase(file, options)
    try {
      // Waiting for the lock in SQLite would block this thread: see `begin`.
      this.#database.pragma('busy_timeout = 0')
      this.#reader = guarded(file, () => new CatalogReader(this.#database))
      this.#writer = guarded(file, () => new CatalogWriter(this.#database, this.#reader))
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  async begin(within: number): Promise<void> {
    const deadline = performance.now() + within
    while (!this.#tryBegin()) {
      if (performance.now() > deadline) throw this.#lockedElsewhere()
      await delay(RETRY_INTERVAL)
    }
    this.#transaction = new CatalogTransaction({
      database: this.#database,
      reader: this.#reader,
      writer: this.#writer,
      guard: (write) => this.#guard(write),
    })
  }

  async call<Name extends keyof CatalogWrites>(
    name: Name,
    args: CallArgs<Name>,
  ): Promise<CallResult<Name>> {
    const transaction = this.#current()
    return await Reflect.apply(transaction[name], transaction, args)
  }

  async commit(): Promise<void> {
    this.#current().end()
    this.#transaction = undefined
    this.#guard(() => this.#database.exec('COMMIT'))
  }

  async rollback(): Promise<void> {
    this.#transaction?.end()
    this.#transaction = undefined
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK')
  }

  async offerFirst(releaseId: string, seenRevision: number): Promise<boolean> {
    this.#current()
    return this.#guard(() => this.#writer.offerFirst(releaseId, seenRevision))
  }

  async setUsed(uses: readonly KeyUse[]): Promise<void> {
    this.#current()
    this.#guard(() => {
      for (const use of uses) this.#writer.setUsed(use)
    })
  }

  async close(): Promise<void> {
    this.#database.close()
  }

  #tryBegin(): boolean {
    try {
      this.#refuseClosed()
      this.#database.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw storageError(error, this.#file)
    }
  }

  #lockedElsewhere(): StorageError {
    return new StorageError({ code: 'busy', file: this.#file })
  }

  #current(): CatalogTransaction {
    this.#refuseClosed()
    if (this.#transaction !== undefined) return this.#transaction
    throw transactionEnded(this.#file)
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
    if (!this.#database.open) throw closed(this.#file)
  }
}

/** The error for any use of a closed catalog. */
export function closed(file: string): StorageError {
  return new StorageError({ code: 'closed', file, detail: 'the catalog is closed' })
}
