import { setTimeout as delay } from 'node:timers/promises'
import { DuplicateError, type KeyUse } from '../../catalog/store.ts'
import { CatalogReader } from '../catalog/catalog-reader.ts'
import { CatalogTransaction } from '../catalog/catalog-transaction.ts'
import { CatalogWriter } from '../catalog/catalog-writer.ts'
import { storeClosed, transactionEnded } from '../interface/closed.ts'
import { StorageError } from '../interface/storage-error.ts'
import { type Areas, areasOf } from '../relational/areas.ts'
import { TransactionScope as SharedScope } from '../relational/scope.ts'
import type { Statements } from '../relational/statements.ts'
import { type Connection, type OpenOptions, openDatabase } from '../sqlite/database.ts'
import { guarded, isBusy, storageError } from '../sqlite/errors.ts'
import { transactionStatements } from '../sqlite/prepared-statements.ts'
import type { TransactionRunner } from './transaction-runner.ts'
import { TransactionScope } from './transaction-scope.ts'

/** Milliseconds between retries for the write lock that another connection holds. */
const RETRY_INTERVAL = 3

/** How the connection is opened; serializable for a thread. */
export type WriterConnectionOptions = Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>

interface Transaction extends Areas {
  /** Rejects every later read and write, and waits for those that were begun. */
  finish(): Promise<void>
}

/** The connection on which the catalog, the people and the outbox are written. It works on the calling thread. */
export class WriterConnection implements TransactionRunner {
  readonly #file: string
  readonly #database: Connection
  readonly #catalog: { readonly reader: CatalogReader; readonly writer: CatalogWriter }
  readonly #statements: Statements
  #transaction: Transaction | undefined

  constructor(file: string, options: WriterConnectionOptions) {
    this.#file = file
    this.#database = openDatabase(file, options)
    try {
      // Waiting for the lock in SQLite would block this thread: see `begin`.
      this.#database.pragma('busy_timeout = 0')
      this.#catalog = guarded(file, () => {
        const reader = new CatalogReader(this.#database)
        return { reader, writer: new CatalogWriter(this.#database, reader) }
      })
      this.#statements = transactionStatements(this.#database)
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
    const shared = { database: this.#database, guard: <T>(work: () => T) => this.#guard(work) }
    const scope = new SharedScope(this.#statements)
    const ofCatalog = new TransactionScope({ ...shared, ...this.#catalog })
    this.#transaction = {
      ...areasOf(scope),
      catalog: new CatalogTransaction(ofCatalog),
      async finish() {
        ofCatalog.end()
        await scope.finish()
      },
    }
  }

  async call(area: keyof Areas, name: string, args: readonly unknown[]): Promise<unknown> {
    const transaction = this.#current()[area]
    const method: unknown = Reflect.get(transaction, name)
    if (typeof method !== 'function') throw new TypeError(`no such method: ${area}.${name}`)
    return await Reflect.apply(method, transaction, args)
  }

  async commit(): Promise<void> {
    await this.#current().finish()
    this.#transaction = undefined
    this.#guard(() => this.#database.exec('COMMIT'))
  }

  async rollback(): Promise<void> {
    await this.#transaction?.finish()
    this.#transaction = undefined
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK')
  }

  async offerFirst(releaseId: string, seenRevision: number): Promise<boolean> {
    this.#current()
    return this.#guard(() => this.#catalog.writer.offerFirst(releaseId, seenRevision))
  }

  async setUsed(uses: readonly KeyUse[]): Promise<void> {
    this.#current()
    this.#guard(() => {
      for (const use of uses) this.#catalog.writer.setUsed(use)
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

  #current(): Transaction {
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
    if (!this.#database.open) throw storeClosed(this.#file)
  }
}
