import { setTimeout as delay } from 'node:timers/promises'
import { StorageError, storeClosed, transactionEnded } from '../../interface/storage-error.ts'
import { type Areas, areaOf } from '../../relational/areas.ts'
import { TransactionScope } from '../../relational/scope.ts'
import type { Statements } from '../../relational/statements.ts'
import { type Connection, type OpenOptions, openDatabase } from '../database.ts'
import { guarded, isBusy, storageError } from '../errors.ts'
import { transactionStatements } from '../prepared-statements.ts'
import type { TransactionRunner } from './transaction-runner.ts'

/** Milliseconds between retries for the write lock that another connection holds. */
const RETRY_INTERVAL = 3

/** How the connection is opened; serializable for a thread. */
export type WriterConnectionOptions = Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>

interface Transaction {
  readonly scope: TransactionScope
  /** Those that were used. */
  readonly areas: Map<keyof Areas, Areas[keyof Areas]>
}

/** The connection on which the catalog, the people and the outbox are written. It works on the calling thread. */
export class WriterConnection implements TransactionRunner {
  readonly #file: string
  readonly #database: Connection
  readonly #statements: Statements
  #transaction: Transaction | undefined

  constructor(file: string, options: WriterConnectionOptions) {
    this.#file = file
    this.#database = openDatabase(file, options)
    try {
      // Waiting for the lock in SQLite would block this thread: see `begin`.
      this.#database.pragma('busy_timeout = 0')
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
    const scope = new TransactionScope(this.#statements)
    this.#transaction = { scope, areas: new Map() }
  }

  async call(area: keyof Areas, name: string, args: readonly unknown[]): Promise<unknown> {
    const { scope, areas } = this.#current()
    const methods = areas.get(area) ?? areaOf(scope, area)
    areas.set(area, methods)
    const method: unknown = Reflect.get(methods, name)
    if (typeof method !== 'function') throw new TypeError(`no such method: ${area}.${name}`)
    return await Reflect.apply(method, methods, args)
  }

  async commit(): Promise<void> {
    await this.#current().scope.finish()
    this.#transaction = undefined
    this.#refuseClosed()
    guarded(this.#file, () => this.#database.exec('COMMIT'))
  }

  async rollback(): Promise<void> {
    await this.#transaction?.scope.finish()
    this.#transaction = undefined
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK')
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

  #refuseClosed(): void {
    if (!this.#database.open) throw storeClosed(this.#file)
  }
}
