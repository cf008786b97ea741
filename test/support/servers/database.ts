import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { isBusy } from '../../../src/server/storage/data-folder/errors.ts'
import { StorageError } from '../../../src/server/storage/interface/storage-error.ts'
import {
  BUSY_TIMEOUT,
  type Connection,
  dataFile,
  openDatabase,
} from '../../../src/server/storage/sqlite/database.ts'
import type { StorageErrorCode } from '../../../src/shared/operation/storage-problem.ts'
import { storageProblemSentence } from '../../../src/shared/wording/operation/storage-problem.ts'
import { preparedFolder } from '../builders/folders.ts'
import { eventualValue } from '../eventually.ts'

/** A second connection to a database, as another program would have one. Closed after the test. */
export function connect(file: string): Connection {
  const database = openDatabase(file)
  onTestFinished(() => {
    database.close()
  })
  return database
}

/** A second connection to the server's database, as another program would have it. */
export function connectTo({ folder }: { readonly folder: string }): Connection {
  return connect(dataFile(folder))
}

/**
 * Runs SQL on a second connection. Waits for the write lock without blocking the thread: a server of this process may need
 * it to end the transaction that holds the lock.
 */
export async function execute(database: Connection, sql: string): Promise<void> {
  database.pragma('busy_timeout = 0')
  const isFree = () => {
    try {
      database.exec(sql)
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }
  await eventualValue(() => isFree() || undefined)
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`)
}

/** How many rows the table has. */
export function countRows(database: Connection, table: string): number {
  return Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
}

/** Opens the database of a data folder on which no server runs. */
export function openFolder(dataFolder: string): Connection {
  return openDatabase(dataFile(dataFolder), { readonly: true })
}

/** A new data folder with that many pages of ballast, which `write-constantly.ts` rewrites. */
export function heavyFolder(pages: number): string {
  const folder = preparedFolder()
  const database = openDatabase(dataFile(folder))
  database.exec(`
    CREATE TABLE ballast (id INTEGER PRIMARY KEY, generation INTEGER, filler BLOB);
    CREATE TABLE pair (left INTEGER, right INTEGER);
    INSERT INTO pair VALUES (0, 0);
    WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ${pages})
      INSERT INTO ballast SELECT n, 0, randomblob(4000) FROM count`)
  database.close()
  return folder
}

/** Adds apps to the database of a folder by SQL. */
export function addApps(folder: string, ...refs: string[]): void {
  const database = openDatabase(dataFile(folder))
  const insert = database.prepare(
    'INSERT INTO apps (id, ref, name, created_at) VALUES (?, ?, ?, ?)',
  )
  for (const ref of refs) insert.run(`id-${ref}`, ref, ref, '2026-01-01T00:00:00.000Z')
  database.close()
}

/** Returns the refs of all apps, oldest first. Throws if the database is damaged. */
export function appRefs(folder: string): unknown[] {
  const database = openDatabase(dataFile(folder))
  try {
    if (database.pragma('integrity_check', { simple: true }) !== 'ok') throw new Error('damaged')
    return database.prepare('SELECT ref FROM apps ORDER BY key').pluck().all()
  } finally {
    database.close()
  }
}

/** Returns the SHA-256 of a file in hex. */
export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** What a person reads about a failure. */
export function sentenceOf({ problem }: StorageError): string {
  return storageProblemSentence(problem)
}

/** The `StorageError` that `work` throws, which must have that code. */
export async function storageFailure(
  code: StorageErrorCode,
  work: () => unknown,
): Promise<StorageError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof StorageError && error.code === code) return error
    throw error
  }
  throw new Error(`no StorageError "${code}" was thrown`)
}
