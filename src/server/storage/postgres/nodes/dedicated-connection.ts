import type pg from 'pg'
import { within } from '../../../runtime/async/within.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { sqlStateOf } from '../connection/errors.ts'

interface DedicatedOptions {
  /** Statements that prepare the session. */
  readonly setUp?: string
  /** An open connection is no longer used: it broke, or did not answer in time. Not called by `close`. */
  readonly onLost?: () => void
}

/**
 * One connection outside of the pool, opened by the first statement, and again by the next one after it was lost. For one
 * statement at a time.
 */
export class DedicatedConnection {
  readonly #database: PostgresDatabase
  readonly #setUp: string | undefined
  readonly #onLost: () => void
  #client: pg.Client | undefined

  constructor(database: PostgresDatabase, { setUp, onLost = () => {} }: DedicatedOptions = {}) {
    this.#database = database
    this.#setUp = setUp
    this.#onLost = onLost
  }

  get isOpen(): boolean {
    return this.#client !== undefined
  }

  /** Connects unless there is a connection. Rejects after that many milliseconds. */
  async open(within: number): Promise<void> {
    if (this.#client !== undefined) return
    const connecting = this.#database.connect()
    let client: pg.Client
    try {
      client = await limited(connecting, within)
    } catch (error) {
      // It may still succeed, for nobody.
      connecting.then(abandon, () => {})
      throw error
    }
    this.#client = client
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    if (this.#setUp === undefined) return
    try {
      await this.#ask(client, this.#setUp, undefined, within)
    } catch (error) {
      this.#lose(client)
      throw error
    }
  }

  /**
   * Returns the rows of a statement on the open connection. Rejects after that many milliseconds, or if there is no
   * connection; the connection is lost unless the database only refused the statement.
   */
  ask<Row>(statement: string, values: readonly unknown[], within: number): Promise<Row[]> {
    const client = this.#client
    if (client === undefined) return Promise.reject(new Error('not connected'))
    return this.#ask(client, statement, [...values], within)
  }

  /** Closes the connection, and with it what its session holds. */
  close(): void {
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) abandon(client)
  }

  async #ask<Row>(
    client: pg.Client,
    statement: string,
    values: unknown[] | undefined,
    within: number,
  ): Promise<Row[]> {
    try {
      const result: pg.QueryResult = await limited(client.query(statement, values), within)
      return result.rows
    } catch (error) {
      if (!isRefusal(error)) this.#lose(client)
      throw error
    }
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    abandon(client)
    this.#onLost()
  }
}

/** Ends a connection without waiting: one that hangs never ends properly. */
function abandon(client: pg.Client): void {
  client.on('error', () => {})
  client.end().catch(() => {})
}

/** The statement failed on a session that goes on. */
function isRefusal(error: unknown): boolean {
  return /^(?!08|57)[0-9A-Z]{5}$/.test(sqlStateOf(error)) && sqlStateOf(error)[0] !== 'E'
}

function limited<T>(work: Promise<T>, time: number): Promise<T> {
  return within(time, work, () => {
    throw new Error(`timeout after ${time} ms`)
  })
}
