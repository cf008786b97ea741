import { onTestFinished } from 'vitest'
import { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { freshDatabase } from '../../../../support/postgres/shared-cluster.ts'

/** Opens a new database with the current schema, for one test. */
export async function openDatabase(): Promise<PostgresDatabase> {
  const database = new PostgresDatabase(await freshDatabase({ prepared: true }))
  onTestFinished(() => database.close())
  return database
}

/** Inserts rows, in the order of the named columns. */
export async function insert(
  database: PostgresDatabase,
  table: string,
  columns: string,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const count = columns.split(',').length
  for (let at = 0; at < rows.length; at += 1_000) {
    const slice = rows.slice(at, at + 1_000)
    const places = slice.map((_, row) => {
      return `(${Array.from({ length: count }, (_, column) => `$${row * count + column + 1}`)})`
    })
    await database.run(`INSERT INTO ${table} (${columns}) VALUES ${places}`, slice.flat())
  }
}
