import pg from 'pg'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'
import { databaseOf, isOnPostgres } from './engine.ts'

interface Place {
  /** The data folder of the server. */
  readonly folder: string
}

/** Returns the rows of a query that both engines understand, as a server has stored them; whole numbers as numbers. */
export async function storedRows({ folder }: Place, sql: string): Promise<unknown[][]> {
  const url = await databaseOf(folder)
  if (url !== undefined) {
    const { rows } = await inPostgres(url, { text: sql, rowMode: 'array' })
    return rows
  }
  const database = openDatabase(dataFile(folder), { readonly: true })
  try {
    const rows: unknown[][] = database.prepare<[], unknown[]>(sql).raw().all()
    return rows
  } finally {
    database.close()
  }
}

/** Changes what is stored by SQL that both engines understand. No server of this process may run on it. */
export async function changeStored({ folder }: Place, sql: string): Promise<void> {
  const url = await databaseOf(folder)
  if (url !== undefined) {
    await inPostgres(url, { text: sql, rowMode: 'array' })
    return
  }
  const database = openDatabase(dataFile(folder))
  database.exec(sql)
  database.close()
}

/** Returns the first column of the rows. */
export async function storedColumn(place: Place, sql: string): Promise<unknown[]> {
  return (await storedRows(place, sql)).map(([value]) => value)
}

/** Returns the labels of every device that has some. */
export async function storedLabels(place: Place): Promise<unknown[]> {
  const labels = isOnPostgres
    ? 'SELECT labels::text FROM device_labels'
    : "SELECT labels FROM devices WHERE labels <> '{}'"
  return (await storedColumn(place, labels)).map((text) => JSON.parse(String(text)))
}

/** Returns how many rows each of the tables has. */
export async function countStored(place: Place, ...tables: string[]): Promise<number[]> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`)
  const [row = []] = await storedRows(place, `SELECT ${counts.join(', ')}`)
  return row.map(Number)
}

async function inPostgres(url: string, query: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query({ ...query, types: { getTypeParser } })
  } finally {
    await client.end()
  }
}

const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format)
