import type pg from 'pg'
import { days } from '../../fleet/time.ts'
import { DisposerStack } from '../../runtime/async/disposer-stack.ts'
import { MoveError } from '../interface/moves.ts'
import { StorageError } from '../interface/storage-error.ts'
import { PostgresDatabase } from '../postgres/connection/database.ts'
import { storageError } from '../postgres/connection/errors.ts'
import { toStored } from '../postgres/connection/text.ts'
import { MOVE_LOCK } from '../postgres/migrations/move-lock.ts'
import { postgresTable } from './postgres-tables.ts'
import type { MoveReader, Position, Value } from './side.ts'
import type { MovedTable } from './tables.ts'

const DEVICES = `SELECT ref AS app, (SELECT count(*) FROM devices WHERE app_key = key) AS devices
  FROM apps ORDER BY ref`
const MISCOUNTED = `SELECT count(*) AS count FROM (
    SELECT profile, day, sum(devices) AS devices FROM presence GROUP BY 1, 2 HAVING sum(devices) <> 0
  ) AS counted FULL JOIN (
    SELECT profile, last_seen / ${days(1)} AS day, count(*) AS devices FROM devices GROUP BY 1, 2
  ) AS recounted USING (profile, day)
  WHERE counted.devices IS DISTINCT FROM recounted.devices`

/**
 * Returns what reads a PostgreSQL database for a move, as it is at the first read. `holder`: holds the lock of the move.
 * After `endSnapshot`, the next read sees what was committed before it.
 */
export function postgresReader(database: PostgresDatabase, holder: MoveClient) {
  let opened: Promise<MoveClient> | undefined
  const snapshot = () => {
    opened ??= openSnapshot(database)
    return opened
  }
  async function endSnapshot(): Promise<void> {
    const reader = opened
    opened = undefined
    await (await reader?.catch(() => undefined))?.close()
  }
  async function one(sql: string): Promise<number> {
    const [row] = await (await snapshot()).rows<{ count: number }>(sql)
    return row?.count ?? 0
  }
  return {
    ...{ location: database.location, endSnapshot },
    async read(table, after, take) {
      // The only row of its table has no key.
      if (table.kind === 'state' && after !== undefined) return
      const reader = await snapshot()
      const { fromStored, key } = postgresTable(table)
      const places = key.map((column) => table.columns.indexOf(column))
      for await (const page of reader.pages(queryOf(reader, table, after), table.batch)) {
        const rows = page.map((row) =>
          fromStored(table.columns.map((_, at) => row[`c${at}`] as Value)),
        )
        const last = rows.at(-1) ?? []
        const end = places.map((place) => last[place] ?? null)
        await take(rows, end)
      }
    },
    count(table) {
      const { from, group } = postgresTable(table)
      const counted = group === '' ? from : `(SELECT FROM ${from} ${group}) AS cells`
      return one(`SELECT count(*) AS count FROM ${counted}`)
    },
    devices: async () => (await snapshot()).rows<{ app: string; devices: number }>(DEVICES),
    miscounted: () => one(MISCOUNTED),
    async close() {
      await endSnapshot()
      await holder.close()
      await database.close()
    },
  } satisfies MoveReader & { readonly endSnapshot: () => Promise<void> }
}

async function openSnapshot(database: PostgresDatabase): Promise<MoveClient> {
  const client = await MoveClient.open(database)
  try {
    await client.snapshot()
    return client
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Cursors take no parameters. */
function queryOf(client: MoveClient, table: MovedTable, after: Position | undefined): string {
  const { select, from, key, alias, group } = postgresTable(table)
  const literal = (value: Value) =>
    typeof value === 'string' ? client.literal(String(toStored(value))) : String(value)
  const columns = select.map((expression, at) => `${expression} AS c${at}`).join(', ')
  const order = key.map((column) => `${alias}${column}`).join(', ')
  const where = after === undefined ? '' : `WHERE (${order}) > (${after.map(literal).join(', ')})`
  const sorted = order === '' ? '' : `ORDER BY ${order}`
  return `SELECT ${columns} FROM ${from} ${where} ${group} ${sorted}`
}

/**
 * Connects to a database and holds the lock of the move on it. `make`: one side of the move; when it rejects, everything is
 * closed again. Rejects with `MoveError` `in_use` if another move holds the database, and with `StorageError`.
 */
export async function openHeld<Side>(
  url: string,
  make: (database: PostgresDatabase, holder: MoveClient) => Promise<Side> | Side,
): Promise<Side> {
  const opened = new DisposerStack()
  try {
    const database = new PostgresDatabase(url)
    opened.add(() => database.close())
    const holder = await MoveClient.open(database)
    opened.add(() => holder.close())
    await holder.hold()
    return await make(database, holder)
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Milliseconds for a statement that sorts or cleans up a large table. */
const LONG_TIME = 12 * 3_600_000

/** Milliseconds until the database has noticed that a move was killed, which held the lock. */
const HOLD_TIME = 5_000

const SET_UP = `SET idle_session_timeout = 0; SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0; SET jit = off`
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** One connection of a move, whose statements may take hours. */
class MoveClient {
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
