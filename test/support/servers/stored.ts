import pg from 'pg'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'
import { execute } from './database.ts'
import { databaseOf } from './engine.ts'
import { labelsAt, rowsAt } from './rows.ts'

interface Place {
  /** The data folder of the server. */
  readonly folder: string
}

/** Returns the rows of a query that both engines understand, as a server has stored them; whole numbers as numbers, JSON as text. */
export async function storedRows({ folder }: Place, sql: string): Promise<unknown[][]> {
  return await rowsAt({ folder, database: await databaseOf(folder) }, sql)
}

/** Returns the first column of the rows. */
export async function storedColumn(place: Place, sql: string): Promise<unknown[]> {
  return (await storedRows(place, sql)).map(([value]) => value)
}

/** Returns the labels of every device that has some. */
export async function storedLabels({ folder }: Place): Promise<unknown[]> {
  return await labelsAt({ folder, database: await databaseOf(folder) })
}

/** Returns how many rows each of the tables has. */
export async function countStored(place: Place, ...tables: string[]): Promise<number[]> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`)
  const [row = []] = await storedRows(place, `SELECT ${counts.join(', ')}`)
  return row.map(Number)
}

/** Changes what is stored, by SQL of the engine of the run. Waits for locks without blocking a server of this process. */
export async function changeStored({ folder }: Place, sql: string): Promise<void> {
  const url = await databaseOf(folder)
  if (url === undefined) {
    const connection = openDatabase(dataFile(folder))
    await execute(connection, sql).finally(() => connection.close())
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Refuses new rows of a table from now on. Returns what ends it. */
export async function refuseRows(place: Place, table: string): Promise<() => Promise<void>> {
  const onSqlite = (await databaseOf(place.folder)) === undefined
  const refuse = onSqlite
    ? `CREATE TRIGGER refuse_for_test BEFORE INSERT ON ${table}
        BEGIN SELECT RAISE(ABORT, 'refused for a test'); END`
    : `CREATE FUNCTION refuse_for_test() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused for a test'; END $$;
      CREATE TRIGGER refuse_for_test BEFORE INSERT ON ${table} EXECUTE FUNCTION refuse_for_test()`
  await changeStored(place, refuse)
  const accept = onSqlite ? 'DROP TRIGGER refuse_for_test' : 'DROP FUNCTION refuse_for_test CASCADE'
  return () => changeStored(place, accept)
}
