import type {
  PeopleListener,
  PeopleState,
  PeopleStore,
  PeopleWrites,
  SessionUse,
} from '../../people/store.ts'
import type { Connection } from '../sqlite/database.ts'
import { ReadConnection } from '../sqlite/read-connection.ts'
import type { Transactions } from '../writer/transactions.ts'
import { watchRevision } from '../writer/watch.ts'
import { PeopleReader } from './people-reader.ts'

/** Page cache in KiB: what is stored of people is small. */
const CACHE_KIB = 1_024

/** Accounts and sessions in SQLite. Throws `StorageError`. */
export class SqlitePeopleStore implements PeopleStore {
  readonly #transactions: Transactions
  readonly #reading: ReadConnection<PeopleReader>
  #seen: { dataVersion: number; revision: number } | undefined

  /** `transactions`: those of the same database. Throws `StorageError`. */
  constructor(file: string, transactions: Transactions) {
    this.#transactions = transactions
    const options = { checkpoint: 'elsewhere', cacheKiB: CACHE_KIB } as const
    const prepare = (database: Connection) => new PeopleReader(database)
    this.#reading = new ReadConnection(file, options, prepare)
  }

  async transact<T>(work: (tx: PeopleWrites) => Promise<T>): Promise<T> {
    return await this.#transactions.transact('people', work)
  }

  async stateUnless(revision: number): Promise<PeopleState | null> {
    return this.#reading.ask((reader) =>
      this.#revision(reader) === revision ? null : reader.state(),
    )
  }

  watch(listener: PeopleListener): () => void {
    return watchRevision(() => this.#reading.ask((reader) => this.#revision(reader)), listener)
  }

  async recordSessionUse(uses: readonly SessionUse[]): Promise<void> {
    if (uses.length > 0) await this.#transactions.run((runner) => runner.setSessionsUsed(uses))
  }

  /** Closes the connection that reads. The transactions are closed by their owner. */
  close(): void {
    this.#reading.close()
  }

  /** Any commit of any connection changes the data version; in this order, one in between is seen next time. */
  #revision(reader: PeopleReader): number {
    const dataVersion = reader.dataVersion()
    if (this.#seen?.dataVersion !== dataVersion) {
      this.#seen = { dataVersion, revision: reader.revision() }
    }
    return this.#seen.revision
  }
}
