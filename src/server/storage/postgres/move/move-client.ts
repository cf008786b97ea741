import type pg from 'pg'
import { MoveError } from '../../interface/moves.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { storageError } from '../connection/errors.ts'
import { MOVE_LOCK } from './move-lock.ts'

/** Milliseconds for a statement that sorts or cleans up a large table. */
const LONG_TIME = 12 * 3_600_000

/** Milliseconds until the database has noticed that a move was killed, which held the lock. */
const HOLD_TIME = 5_000

const SET_UP = `SET idle_session_timeout = 0; SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0; SET jit = off`
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** One connection of a move, whose statements may take hours. */
export class MoveClient {
  readonly #client: pg.Client
  readonly #location: string

  static async open(database: PostgresDatabase): Promise<MoveClient> {
    const client = await database.connect()
    // The next statement fails.
    client.on('error', () => {})
    const opened = new MoveClient(client, database.location)
    await opened.rows(SET_UP)
    return opened
  }

  private constructor(client: pg.Client, location: string) {
    this.#client = client
    this.#location = location
  }

  /** Rejects with `MoveError` `in_use` if another move, or a node that joins, holds the database for 5 s. */
  async hold(): Promise<void> {
    try {
      await this.rows(`SET lock_timeout = ${HOLD_TIME}; SELECT pg_advisory_lock(${MOVE_LOCK})`)
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'busy') throw error
      throw new MoveError({ kind: 'in_use', place: this.#location, nodes: [] })
    }
  }

  /** All statements from now on see the same rows. */
  async snapshot(): Promise<void> {
    await this.rows(SNAPSHOT)
  }

  async rows<Row>(text: string): Promise<Row[]> {
    const query = { text, query_timeout: LONG_TIME }
    try {
      return (await this.#client.query(query)).rows
    } catch (error) {
      throw storageError(error, this.#location)
    }
  }

  /** Hands out the rows of a query, so many at a time. */
  async *pages(query: string, size: number): AsyncGenerator<Record<string, unknown>[]> {
    await this.rows(`DECLARE moved NO SCROLL CURSOR FOR ${query}`)
    for (;;) {
      const rows = await this.rows<Record<string, unknown>>(`FETCH FORWARD ${size} FROM moved`)
      if (rows.length > 0) yield rows
      if (rows.length < size) break
    }
    await this.rows('CLOSE moved')
  }

  literal(value: string): string {
    return this.#client.escapeLiteral(value)
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}
