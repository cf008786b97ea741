import type {
  PeopleListener,
  PeopleState,
  PeopleStore,
  PeopleWrites,
  SessionUse,
} from '../../people/store.ts'
import { type Connection, openDatabase } from '../sqlite/database.ts'
import { guarded, storageError } from '../sqlite/errors.ts'
import type { TransactionRunner } from '../writer/transaction-runner.ts'
import type { Transactions } from '../writer/transactions.ts'
import { watchRevision } from '../writer/watch.ts'
import { closed } from '../writer/writer-connection.ts'
import { PeopleClient } from './people-client.ts'
import { PeopleReader } from './people-reader.ts'

/** Page cache in KiB: what is stored of people is small. */
const CACHE_KIB = 1_024

/** Accounts and sessions in SQLite. Throws `StorageError`. */
export class SqlitePeopleStore implements PeopleStore {
  readonly #file: string
  readonly #transactions: Transactions
  readonly #database: Connection
  readonly #reader: PeopleReader
  #seen: { dataVersion: number; revision: number } | undefined

  /** `transactions`: those of the same database. Throws `StorageError`. */
  constructor(file: string, transactions: Transactions) {
    this.#file = file
    this.#transactions = transactions
    const options = { readonly: true, checkpoint: 'elsewhere', cacheKiB: CACHE_KIB } as const
    this.#database = openDatabase(file, options)
    try {
      this.#reader = new PeopleReader(this.#database)
    } catch (error) {
      this.#database.close()
      throw storageError(error, file)
    }
  }

  async transact<T>(work: (tx: PeopleWrites) => Promise<T>): Promise<T> {
    const connect = (runner: TransactionRunner) => new PeopleClient(runner, this.#file)
    return await this.#transactions.transact(connect, work)
  }

  async stateUnless(revision: number): Promise<PeopleState | null> {
    return this.#ask(() => (this.#revision() === revision ? null : this.#reader.state()))
  }

  watch(listener: PeopleListener): () => void {
    return watchRevision(() => this.#ask(() => this.#revision()), listener)
  }

  async recordSessionUse(uses: readonly SessionUse[]): Promise<void> {
    if (uses.length > 0) await this.#transactions.run((runner) => runner.setSessionsUsed(uses))
  }

  /** Closes the connection that reads. The transactions are closed by their owner. */
  close(): void {
    this.#database.close()
  }

  /** Any commit of any connection changes the data version; in this order, one in between is seen next time. */
  #revision(): number {
    const dataVersion = this.#reader.dataVersion()
    if (this.#seen?.dataVersion !== dataVersion) {
      this.#seen = { dataVersion, revision: this.#reader.revision() }
    }
    return this.#seen.revision
  }

  #ask<T>(question: () => T): T {
    if (!this.#database.open) throw closed(this.#file)
    return guarded(this.#file, question)
  }
}
