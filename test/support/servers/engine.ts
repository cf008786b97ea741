import { existsSync } from 'node:fs'
import pg from 'pg'
import type { StorageEngine } from '../../../src/server/storage/interface/engine.ts'
import { moveStorage, storageEngine } from '../../../src/server/storage/open-storage.ts'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'
import { freshDatabase } from '../postgres/shared-cluster.ts'
import { execute } from './database.ts'

/** Names the storage engine of the servers that tests start: `postgres`, or SQLite. */
export const TEST_ENGINE = 'TIDEGATE_TEST_ENGINE'

/** Whether the servers of this run have their data in PostgreSQL. */
export const isOnPostgres = process.env[TEST_ENGINE] === 'postgres'

const databases = new Map<string, Promise<string>>()

/**
 * Returns the database of a data folder: undefined for SQLite, else the connection URI of a PostgreSQL database that this
 * folder alone has, so that a server which starts again on a folder finds its data. What a test has stored in the
 * SQLite file of the folder before is moved to it.
 */
export async function databaseOf(folder: string): Promise<string | undefined> {
  if (!isOnPostgres) return undefined
  const known = databases.get(folder) ?? newDatabase(folder)
  databases.set(folder, known)
  return await known
}

/** Returns the variables of a command that lead to the database of a data folder. */
export async function databaseVariables(folder: string): Promise<NodeJS.ProcessEnv> {
  const database = await databaseOf(folder)
  return database === undefined ? {} : { TIDEGATE_DATABASE: database }
}

/** The operations on all of the data of a server, as a command has them beside it. */
export async function engineOf(folder: string): Promise<StorageEngine> {
  return storageEngine({ dataFolder: folder, database: await databaseOf(folder) })
}

/** The same for the folder that the arguments name with `--data`, if it has a database already. */
export async function variablesOfKnown(args: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const folder = args[args.indexOf('--data') + 1]
  const isKnown = args.includes('--data') && folder !== undefined && databases.has(folder)
  return isKnown ? await databaseVariables(folder) : {}
}

/** Begins a transaction on the database of a server beside which no device can be stored. Returns what ends it. */
export async function holdDevices(folder: string): Promise<() => Promise<void>> {
  const database = await databaseOf(folder)
  if (database === undefined) {
    const connection = openDatabase(dataFile(folder))
    await execute(connection, 'BEGIN IMMEDIATE')
    return async () => {
      connection.close()
    }
  }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('BEGIN; LOCK TABLE devices IN SHARE MODE')
  return () => client.end()
}

/** Returns what is in every table of the database of a server, as JSON by its name. */
export async function storedTables(folder: string): Promise<Map<string, string>> {
  const url = await databaseOf(folder)
  if (url === undefined) return sqliteTables(folder)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      "SELECT relname FROM pg_class WHERE oid >= 16384 AND relkind = 'r'",
    )
    const tables = new Map<string, string>()
    for (const { relname } of rows) {
      tables.set(relname, JSON.stringify((await client.query(`SELECT * FROM ${relname}`)).rows))
    }
    return tables
  } finally {
    await client.end()
  }
}

function sqliteTables(folder: string): Map<string, string> {
  const database = openDatabase(dataFile(folder), { readonly: true })
  const names = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all()
  const tables = new Map(
    names.map((name) => [name, JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all())]),
  )
  database.close()
  return tables
}

async function newDatabase(folder: string): Promise<string> {
  if (!hasApps(folder)) return await freshDatabase({ prepared: true })
  const url = await freshDatabase()
  await moveStorage({ from: { kind: 'folder', folder }, to: { kind: 'postgres', url } })
  return url
}

function hasApps(folder: string): boolean {
  if (!existsSync(dataFile(folder))) return false
  const database = openDatabase(dataFile(folder), { readonly: true })
  try {
    return database.prepare('SELECT 1 FROM apps').get() !== undefined
  } finally {
    database.close()
  }
}
