import pg from 'pg'
import { labelsFromText } from '../../../src/server/storage/postgres/fleet/ingest/stored-labels.ts'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'

/** Where a server has its data. */
export interface DataPlace {
  readonly folder: string
  /** The connection URI of a PostgreSQL database; undefined for the SQLite file of the folder. */
  readonly database?: string | undefined
}

/** Returns the rows of a query that both engines understand, each with its columns; whole numbers as numbers, JSON as text. */
export async function rowsAt({ folder, database }: DataPlace, sql: string): Promise<unknown[][]> {
  if (database === undefined) return sqliteRows(folder, sql)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    const query = { text: sql, rowMode: 'array', types: { getTypeParser } } as const
    return (await client.query<unknown[]>(query)).rows
  } finally {
    await client.end()
  }
}

/** Returns the labels of every device that has some, as it sent them. */
export async function labelsAt(place: DataPlace): Promise<unknown[]> {
  const isFile = place.database === undefined
  const sql = isFile
    ? "SELECT labels FROM devices WHERE labels <> '{}'"
    : 'SELECT labels::text FROM device_labels'
  const parse = isFile ? JSON.parse : labelsFromText
  return (await rowsAt(place, sql)).map(([text]) => parse(String(text)))
}

function sqliteRows(folder: string, sql: string): unknown[][] {
  const connection = openDatabase(dataFile(folder), { readonly: true })
  try {
    return connection.prepare<[], unknown[]>(sql).raw().all()
  } finally {
    connection.close()
  }
}

const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  NUMBERS.includes(oid)
    ? Number
    : oid === pg.types.builtins.JSON
      ? String
      : pg.types.getTypeParser(oid, format)
