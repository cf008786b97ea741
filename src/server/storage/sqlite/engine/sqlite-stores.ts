import type { CatalogStore } from '../../../catalog/store.ts'
import type { OutboxStore } from '../../../outbound/outbox/store.ts'
import type { PeopleStore } from '../../../people/store.ts'
import type { Parameters, Part, Questions } from '../../relational/statements.ts'
import {
  type Closing,
  catalogStore,
  outboxStore,
  peopleStore,
  type StoredPart,
} from '../../relational/stores.ts'
import { watchRevision } from '../../shared/watch.ts'
import { type Connection, type OpenOptions, openDatabase } from '../database.ts'
import { PreparedStatements, SQLITE } from '../prepared-statements.ts'
import { Transactions, type TransactionsOptions } from '../writer/transactions.ts'

/** Reads what is committed, on a connection of its own, until `close`. */
export class ReadConnection implements Questions {
  readonly dialect = SQLITE
  readonly location: string
  readonly #database: Connection
  readonly #prepared: PreparedStatements
  readonly #part: Part
  /** The last question of several statements. */
  #last: Promise<unknown> = Promise.resolve()
  #seen: { dataVersion: number; revision: number } | undefined

  /** `part`: whose revision it knows. Throws `StorageError`. */
  constructor(file: string, part: Part, options: Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>) {
    this.location = file
    this.#part = part
    this.#database = openDatabase(file, { ...options, readonly: true })
    this.#prepared = new PreparedStatements(this.#database)
  }

  /**
   * The committed revision. Takes microseconds if nothing was committed since the last call. Throws `StorageError`,
   * `closed` after `close`.
   */
  revision(): number {
    // Any commit of any connection changes the data version, and telemetry commits all the time, so the
    // revision is compared as well. In this order, a commit in between is seen next time.
    const dataVersion = this.#number('PRAGMA data_version')
    if (this.#seen?.dataVersion !== dataVersion) {
      const revision = this.#number(`SELECT revision FROM ${this.#part}_state`)
      this.#seen = { dataVersion, revision }
    }
    return this.#seen.revision
  }

  async rows<Row>(sql: string, parameters?: Parameters): Promise<Row[]> {
    await this.#last
    return this.#prepared.rows(sql, parameters)
  }

  async row<Row>(sql: string, parameters?: Parameters): Promise<Row | undefined> {
    await this.#last
    return this.#prepared.row(sql, parameters)
  }

  /** Others wait meanwhile: they would see what was committed when it began, not when they are asked. */
  atOnce<T>(question: (questions: Questions) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#inTransaction(question))
    this.#last = result.catch(() => {})
    return result
  }

  close(): void {
    this.#database.close()
  }

  async #inTransaction<T>(question: (questions: Questions) => Promise<T>): Promise<T> {
    const prepared = this.#prepared
    const questions: Questions = {
      dialect: this.dialect,
      location: this.location,
      rows: async (sql, parameters) => prepared.rows(sql, parameters),
      row: async (sql, parameters) => prepared.row(sql, parameters),
      atOnce: (inner) => inner(questions),
    }
    prepared.execute('BEGIN')
    try {
      return await question(questions)
    } finally {
      if (this.#database.inTransaction) prepared.execute('COMMIT')
    }
  }

  #number(sql: string): number {
    return Object.values(this.#prepared.row<Readonly<Record<string, number>>>(sql) ?? {})[0] ?? 0
  }
}

/** Page cache in KiB: what is stored of people and webhooks is small. */
const SMALL = { checkpoint: 'elsewhere', cacheKiB: 1_024 } as const

export interface SqliteCatalogStore extends Closing<CatalogStore> {
  /** The transactions of the database, which other stores of it share. */
  readonly transactions: Transactions
}

/**
 * Opens the catalog in a prepared database, on two connections of its own: one for transactions,
 * one for reading committed data. Throws `StorageError`.
 */
export function createSqliteCatalogStore(
  file: string,
  options: TransactionsOptions = {},
): SqliteCatalogStore {
  const transactions = new Transactions(file, options)
  const { checkpoint, cacheKiB } = options
  try {
    const part = sqlitePart(file, 'catalog', transactions, { checkpoint, cacheKiB })
    const close = async () => {
      await part.close()
      await transactions.close()
    }
    return { ...catalogStore(part), transactions, close }
  } catch (error) {
    void transactions.close()
    throw error
  }
}

/** Opens the people in a prepared database. `transactions`: those of its catalog. Throws `StorageError`. */
export function createSqlitePeopleStore(
  file: string,
  transactions: Transactions,
): Closing<PeopleStore> {
  return peopleStore(sqlitePart(file, 'people', transactions, SMALL))
}

/** The same for webhooks and deliveries. */
export function createSqliteOutboxStore(
  file: string,
  transactions: Transactions,
): Closing<OutboxStore> {
  return outboxStore(sqlitePart(file, 'outbox', transactions, SMALL))
}

/** A part that reads on a connection of its own. The transactions are closed by their owner. Throws `StorageError`. */
function sqlitePart(
  file: string,
  part: Part,
  transactions: Transactions,
  options: Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>,
): StoredPart {
  const committed = new ReadConnection(file, part, options)
  return {
    committed,
    revision: async () => committed.revision(),
    newest: () => committed.revision(),
    watch: (listener) => watchRevision(() => committed.revision(), listener),
    transact: (area, work, within) => transactions.transact(area, work, within),
    close: async () => committed.close(),
  }
}
