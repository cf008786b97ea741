import type {
  PeopleListener,
  PeopleState,
  PeopleStore,
  PeopleWrites,
  SessionUse,
} from '../../../people/store.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { type PartOptions, PartTransactions } from '../transactions/transactions.ts'
import { peopleRevision, peopleState } from './people-reads.ts'
import { PostgresPeopleTransaction } from './people-transaction.ts'
import { setSessionsUsed } from './people-writes.ts'

/** Accounts and sessions in PostgreSQL. Rejects with `StorageError`, besides the refusals of its interface. */
export class PostgresPeopleStore implements PeopleStore {
  readonly #database: PostgresDatabase
  readonly #changes: Changes
  readonly #transactions: PartTransactions

  /** `changes`: of the same database. Both are closed by their owner. */
  constructor(database: PostgresDatabase, changes: Changes, options: PartOptions = {}) {
    this.#database = database
    this.#changes = changes
    this.#transactions = new PartTransactions(database, changes, 'people', options)
  }

  async transact<T>(work: (tx: PeopleWrites) => Promise<T>): Promise<T> {
    return await this.#transactions.run((scope) => work(new PostgresPeopleTransaction(scope)))
  }

  async stateUnless(revision: number): Promise<PeopleState | null> {
    this.#transactions.refuseClosed()
    if ((await peopleRevision(this.#database)) === revision) return null
    return await this.#database.transaction(peopleState, { snapshot: true })
  }

  watch(listener: PeopleListener): () => void {
    return this.#changes.announce('people', listener)
  }

  async recordSessionUse(uses: readonly SessionUse[]): Promise<void> {
    if (uses.length === 0) return
    await this.#transactions.run((scope) => scope.read((tx) => setSessionsUsed(tx, uses)))
  }

  /** A transaction in progress is undone. */
  async close(): Promise<void> {
    await this.#transactions.close()
  }
}
