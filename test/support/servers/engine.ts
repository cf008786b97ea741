import { freshDatabase } from '../postgres/shared-cluster.ts'

/** Names the storage engine of the servers that tests start: `postgres`, or SQLite. */
export const TEST_ENGINE = 'TIDEGATE_TEST_ENGINE'

/** Whether the servers of this run have their data in PostgreSQL. */
export const isOnPostgres = process.env[TEST_ENGINE] === 'postgres'

const databases = new Map<string, Promise<string>>()

/**
 * Returns the database of a data folder: undefined for SQLite, else the connection URI of a PostgreSQL database that this
 * folder alone has, so that a server which starts again on a folder finds its data.
 */
export async function databaseOf(folder: string): Promise<string | undefined> {
  if (!isOnPostgres) return undefined
  const known = databases.get(folder) ?? freshDatabase({ prepared: true })
  databases.set(folder, known)
  return await known
}
