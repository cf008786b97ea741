import { setTimeout as delay } from 'node:timers/promises'
import { guarded, isBusy, storageError } from '../../data-folder/errors.ts'
import { StorageError, storeClosed, transactionEnded } from '../../interface/storage-error.ts'
import { type Areas, areaOf } from '../../relational/areas.ts'
import { TransactionScope } from '../../relational/scope.ts'
import type { Statements } from '../../relational/statements.ts'
import { type Connection, type OpenOptions, openDatabase } from '../database.ts'
import { transactionStatements } from '../prepared-statements.ts'
import { WorkerClient } from '../threads/worker-client.ts'

/**
 * Runs transactions, one at a time: on this thread, or on a separate one. Every method
 * rejects with `StorageError`, `call` also with `DuplicateError`.
 */
export interface TransactionRunner {
  /** Takes the write lock, waiting up to that many milliseconds. */
  begin(within: number): Promise<void>
  /** Calls that method of an area of the transaction: see `areaClient`, which has their types. */
  call(area: keyof Areas, name: string, args: readonly unknown[]): Promise<unknown>
  commit(): Promise<void>
  /** Rolls the transaction back; does nothing if there is none. */
  rollback(): Promise<void>
  /** Closes the connection. A transaction in progress is rolled back. */
  close(): Promise<void>
}

/**
 * Returns what runs transactions on a separate thread, so that no check waits for a lock or a disk. When the thread
 * dies, SQLite rolls back what was not committed, and the next `begin` starts another thread. `file`: the database.
 */
export function writerThread(file: string): TransactionRunner {
  const thread = new WorkerClient<TransactionRunner>({ role: 'writer', file })
  return {
    begin: (within) => thread.ask('begin', within),
    call: (area, name, args) => thread.ask('call', area, name, args),
    commit: () => thread.ask('commit'),
    rollback: () => thread.ask('rollback'),
    close: () => thread.close(),
  }
}

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
