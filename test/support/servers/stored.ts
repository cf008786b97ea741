import { databaseOf } from './engine.ts'
import { labelsAt, rowsAt } from './rows.ts'

interface Place {
  /** The data folder of the server. */
  readonly folder: string
}

/** Returns the rows of a query that both engines understand, as a server has stored them; whole numbers as numbers. */
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
