import { days } from '../../fleet/time.ts'
import { guarded } from '../data-folder/errors.ts'
import type { Connection } from '../sqlite/database.ts'
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

/**
 * Returns what reads the database of a data folder for a move. Blocks the thread for a batch at a time. `location`: the data
 * folder.
 */
export function sqliteReader(location: string, database: () => Connection) {
  const all = <Found>(sql: string, ...values: unknown[]): Found[] =>
    guarded(
      location,
      () =>
        database()
          .prepare(sql)
          .all(...values) as Found[],
    )
  const one = (sql: string) =>
    guarded(location, () => Number(database().prepare(sql).pluck().get()))
  function next(table: MovedTable, after: Position | undefined): Row[] {
    const { select, from, key } = sqliteRows(table)
    const where = after === undefined ? '' : `WHERE (${key}) > (${key.map(() => '?')})`
    const order = key.length === 0 ? '' : `ORDER BY ${key}`
    const sql = `SELECT ${select.join(', ')} FROM ${from} ${where} ${order} LIMIT ${table.batch}`
    return guarded(location, () => {
      const rows = database()
        .prepare(sql)
        .raw()
        .all(...(after ?? [])) as Row[]
      return table.name === 'devices' ? rows.map((row) => comparableLabels(table, row)) : rows
    })
  }
  return {
    location,
    describe(table) {
      const rows = all<{ name: string; pk: number }>(
        "SELECT name, pk FROM pragma_table_info(?) WHERE name <> 'only' ORDER BY cid",
        table,
      )
      const key = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
      return { columns: rows.map(({ name }) => name), key: key.map(({ name }) => name) }
    },
    async read(table, after, take) {
      let position = after
      // The only row of its table has no key.
      if (table.kind === 'state' && position !== undefined) return
      for (;;) {
        const rows = next(table, position)
        const last = rows.at(-1)
        if (last === undefined) return
        position = positionOf(table, last)
        await take(rows, position)
        if (rows.length < table.batch || table.kind === 'state') return
      }
    },
    count: async (table) => one(`SELECT count(*) FROM ${sqliteRows(table).from}`),
    devices: async () => all<{ app: string; devices: number }>(DEVICES),
    miscounted: async () => one(MISCOUNTED),
  } satisfies Omit<MoveReader, 'close'>
}

function positionOf({ columns, key, checkIns }: MovedTable, row: Row): Position {
  return key.map((column) => {
    const value = row[columns.indexOf(column)] ?? null
    return checkIns.includes(column) ? numberOf(Number(value)) : value
  })
}
