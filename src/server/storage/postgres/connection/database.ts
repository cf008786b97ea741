import pg from 'pg'
import { locationOf } from '../../interface/database-url.ts'
import { isUnanswered, storageError } from './errors.ts'
import type { Queries, Transaction, TransactionOptions } from './queries.ts'
import { type NamedStatement, type Parameters, parametersOf } from './statements.ts'
import { getTypeParser, toStored } from './text.ts'

/** Milliseconds until a connection must be there. */
const CONNECT_TIME = 5_000
/** Milliseconds after which the client gives up on a statement. */
const QUERY_TIME = 60_000
/** Milliseconds that a transaction waits for a lock, by default. */
const LOCK_TIME = 5_000
/**
 * Milliseconds that a transaction may wait for its next statement before the database ends it. Shorter than others wait for
 * its locks: a client that is out of contact must not hold them up.
 */
const IDLE_TIME = 4_000
/** The same for a transaction that only reads, and so has no locks that others wait for. */
const SNAPSHOT_IDLE_TIME = 30_000

interface DatabaseOptions {
  readonly queryTime?: number | undefined
}

/**
 * A PostgreSQL database: a pool of connections, none of which has a state between two statements or transactions, so that
 * a pooler in between may give each to another session.
 */
export class PostgresDatabase implements Queries {
  readonly location: string
  readonly #url: string
  readonly #queryTime: number
  readonly #pool: pg.Pool
  #closed: Promise<void> | undefined

  /**
   * `url`: a connection URI. `connections`: most at a time. `queryTime`: milliseconds after which the client gives up on a
   * statement; 60 s by default.
   */
  constructor(url: string, connections = 8, { queryTime = QUERY_TIME }: DatabaseOptions = {}) {
    this.#url = url
    this.#queryTime = queryTime
    this.location = locationOf(url)
    this.#pool = new pg.Pool({ ...this.#config(), max: connections, idleTimeoutMillis: 30_000 })
    // A connection that ends while nothing uses it is replaced by the next statement.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', surviveEnd)
  }

  async rows<Row>(statement: string | NamedStatement, parameters: Parameters = []): Promise<Row[]> {
    return (await this.#ask(this.#pool, statement, parameters)).rows
  }

  async row<Row>(
    statement: string | NamedStatement,
    parameters: Parameters = [],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, parameters))[0]
  }

  async run(statement: string | NamedStatement, parameters: Parameters = []): Promise<number> {
    return (await this.#ask(this.#pool, statement, parameters)).rowCount ?? 0
  }

  /**
   * Runs `work` in one transaction, which is undone when `work` rejects. Rejects with what `work` rejects with, or with
   * `StorageError`. When the connection breaks during the commit, nobody knows whether it happened. Nothing is compiled in
   * it: for a statement over the partitions of the log, that takes many times as long as the statement.
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    {
      lockTime = LOCK_TIME,
      queryTime = this.#queryTime,
      snapshot = false,
      byIndex = false,
    }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.#guard(() => this.#pool.connect())
    let broken: Error | undefined
    // Without a listener, a connection that ends between two statements would end the process.
    const onEnd = (error: Error) => {
      broken = error
    }
    client.on('error', onEnd)
    try {
      const begin = snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN'
      const limits = `SET LOCAL lock_timeout = ${Math.max(1, Math.ceil(lockTime))};
        SET LOCAL idle_in_transaction_session_timeout = ${snapshot ? SNAPSHOT_IDLE_TIME : IDLE_TIME};
        SET LOCAL jit = off`
      const plans = byIndex
        ? '; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off'
        : ''
      await this.#ask(client, `${begin}; ${limits}${plans}`, undefined, queryTime)
      const result = await work(this.#queriesOn(client, queryTime))
      const { command } = await this.#ask(client, 'COMMIT', [], queryTime)
      if (command !== 'COMMIT') throw new Error('a failed statement undid the transaction')
      return result
    } catch (error) {
      // A connection that leaves a statement unanswered would leave this one unanswered, too.
      if (isUnanswered(error)) broken ??= new Error('unanswered', { cause: error })
      else {
        await this.#ask(client, 'ROLLBACK', [], queryTime).catch((failure: Error) => {
          broken ??= failure
        })
      }
      throw error
    } finally {
      client.off('error', onEnd)
      client.release(broken)
    }
  }

  /** Opens a connection of its own, for what needs one session: notifications and session locks. The caller ends it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config())
    surviveEnd(client)
    await this.#guard(() => client.connect())
    return client
  }

  /** The connection URI with its password: for other threads that connect, never for people. */
  get url(): string {
    return this.#url
  }

  /** Closes all connections once their statements have ended. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }

  #queriesOn(client: pg.PoolClient, queryTime: number): Transaction {
    const ask = (statement: string | NamedStatement, parameters: Parameters) =>
      this.#ask(client, statement, parameters, queryTime)
    let attempts = 0
    return {
      location: this.location,
      rows: async (statement, parameters = []) => (await ask(statement, parameters)).rows,
      row: async (statement, parameters = []) => (await ask(statement, parameters)).rows[0],
      run: async (statement, parameters = []) => (await ask(statement, parameters)).rowCount ?? 0,
      attempt: async (work) => {
        const savepoint = `attempt_${++attempts}`
        await ask(`SAVEPOINT ${savepoint}`, [])
        try {
          const result = await work()
          await ask(`RELEASE SAVEPOINT ${savepoint}`, [])
          return result
        } catch (error) {
          if (!isUnanswered(error)) await ask(`ROLLBACK TO SAVEPOINT ${savepoint}`, [])
          throw error
        }
      },
    }
  }

  #ask(
    client: Pick<pg.PoolClient, 'query'> | pg.Pool,
    statement: string | NamedStatement,
    parameters: Parameters | undefined,
    queryTime = this.#queryTime,
  ): Promise<pg.QueryResult> {
    return this.#guard(() => {
      // Only without parameters can a text have several statements.
      if (parameters === undefined) return client.query(queryConfig(String(statement), queryTime))
      const [text, values] = parametersOf(statement, parameters)
      return client.query({ ...queryConfig(text, queryTime), values: values.map(toStored) })
    })
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw storageError(error, this.location)
    }
  }

  #config(): pg.ClientConfig {
    return {
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIME,
      query_timeout: this.#queryTime,
      keepAlive: true,
      application_name: 'tidegate',
      types: { getTypeParser },
    }
  }
}

/**
 * The server can end a connection in the moment when it is given to a caller, who does not listen yet: without a listener,
 * that would end the process. What is asked on the connection then fails.
 */
function surviveEnd(client: Pick<pg.Client, 'on'>): void {
  client.on('error', () => {})
}

/** The driver takes a time for each statement, which its types do not know. */
function queryConfig(text: string, queryTime: number): pg.QueryConfig & { query_timeout: number } {
  return { text, query_timeout: queryTime }
}
