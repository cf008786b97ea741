import { days } from '../../fleet/time.ts'
import type { Connection } from '../sqlite/database.ts'
import { guarded } from '../sqlite/errors.ts'
import { comparableLabels, numberOf } from './differences.ts'
import type { MoveReader, Position, Row } from './side.ts'
import { sqliteRows } from './sqlite-tables.ts'
import type { MovedTable } from './tables.ts'

const DEVICES = `SELECT ref AS app, (SELECT count(*) FROM devices WHERE app_key = key) AS devices
  FROM apps ORDER BY ref`
const RECOUNT = `SELECT profile, last_seen / ${days(1)} AS day, count(*) AS devices
  FROM device_states GROUP BY 1, 2`
const PRESENCE = 'SELECT profile, day, devices FROM presence'
const MISCOUNTED = `SELECT
  (SELECT count(*) FROM (SELECT * FROM (${RECOUNT}) EXCEPT ${PRESENCE})) +
  (SELECT count(*) FROM (${PRESENCE} EXCEPT SELECT * FROM (${RECOUNT})))`

/** Reads the database of a data folder for a move. Blocks the thread for a batch at a time. */
export abstract class SqliteReader implements MoveReader {
  readonly location: string

  /** `location`: the data folder. */
  protected constructor(location: string) {
    this.location = location
  }

  protected abstract get database(): Connection

  /** The columns of a table without the one that makes a row the only one of its table, and its key. */
  describe(table: string): Pick<MovedTable, 'columns' | 'key'> {
    const rows = this.#all<{ name: string; pk: number }>(
      "SELECT name, pk FROM pragma_table_info(?) WHERE name <> 'only' ORDER BY cid",
      table,
    )
    const key = rows.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
    return { columns: rows.map(({ name }) => name), key: key.map(({ name }) => name) }
  }

  async read(
    table: MovedTable,
    after: Position | undefined,
    take: (rows: readonly Row[], last: Position) => Promise<void>,
  ): Promise<void> {
    let position = after
    // The only row of its table has no key.
    if (table.kind === 'state' && position !== undefined) return
    for (;;) {
      const rows = this.#next(table, position)
      const last = rows.at(-1)
      if (last === undefined) return
      position = positionOf(table, last)
      await take(rows, position)
      if (rows.length < table.batch || table.kind === 'state') return
    }
  }

  async count(table: MovedTable): Promise<number> {
    return this.#one(`SELECT count(*) FROM ${sqliteRows(table).from}`)
  }

  async devices() {
    return this.#all<{ app: string; devices: number }>(DEVICES)
  }

  async miscounted(): Promise<number> {
    return this.#one(MISCOUNTED)
  }

  abstract close(): Promise<void>

  #next(table: MovedTable, after: Position | undefined): Row[] {
    const { select, from, key } = sqliteRows(table)
    const where = after === undefined ? '' : `WHERE (${key}) > (${key.map(() => '?')})`
    const order = key.length === 0 ? '' : `ORDER BY ${key}`
    const sql = `SELECT ${select.join(', ')} FROM ${from} ${where} ${order} LIMIT ${table.batch}`
    return guarded(this.location, () => {
      const rows = this.database
        .prepare(sql)
        .raw()
        .all(...(after ?? [])) as Row[]
      return table.name === 'devices' ? rows.map((row) => comparableLabels(table, row)) : rows
    })
  }

  #all<Found>(sql: string, ...values: unknown[]): Found[] {
    return guarded(this.location, () => this.database.prepare(sql).all(...values) as Found[])
  }

  #one(sql: string): number {
    return guarded(this.location, () => Number(this.database.prepare(sql).pluck().get()))
  }
}

function positionOf({ columns, key, checkIns }: MovedTable, row: Row): Position {
  return key.map((column) => {
    const value = row[columns.indexOf(column)] ?? null
    return checkIns.includes(column) ? numberOf(Number(value)) : value
  })
}
