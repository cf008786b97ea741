import { statSync } from 'node:fs'
import { publishCopy, sealCopy } from './copy.ts'
import { type Connection, openDatabase } from './database.ts'
import { guarded, StorageError, storageError } from './errors.ts'
import {
  createPrivateFile,
  freeName,
  isThere,
  removeDatabase,
  sidecars,
  syncFile,
} from './folder.ts'
import { APPLICATION_ID, storedVersion } from './header.ts'
import { MIGRATIONS, type Migration, schemaVersion } from './migrations/index.ts'

export interface MigrationResult {
  /** Schema versions, 0 for a database that did not exist. Equal where nothing was to do. */
  readonly from: number
  readonly to: number
  /** The copy of the database as it was, where it held anything. */
  readonly copy: string | undefined
}

/**
 * Brings a database file up to the last of `migrations`, all in one transaction, or creates it.
 * A database that holds something is copied first, to `<file>.before-<version>`. The caller holds
 * the lock of the data folder. Blocks for as long as a copy of the file takes.
 *
 * Throws `StorageError`; the database is then what it was before.
 */
export function migrateDatabase(
  file: string,
  migrations: readonly Migration[] = MIGRATIONS,
): MigrationResult {
  const from = storedVersion(file, migrations)
  const to = schemaVersion(migrations)
  if (from === to) return { from, to, copy: undefined }
  if (!isThere(file)) {
    create(file, migrations)
    return { from, to, copy: undefined }
  }
  const database = openDatabase(file)
  try {
    const copy = from === 0 ? undefined : copyBefore(database, from, to)
    applyOrUndo(database, from, migrations, copy)
    return { from, to, copy }
  } finally {
    database.close()
  }
}

/** Uses another name until complete, so that a file of the usual name always holds a database. */
function create(file: string, migrations: readonly Migration[]): void {
  refuseOrphans(file)
  const draft = `${file}.new`
  guarded(draft, () => {
    // Left by a start that was killed.
    removeDatabase(draft)
    createPrivateFile(draft)
    try {
      const database = openDatabase(draft)
      try {
        applyOrUndo(database, 0, migrations, undefined)
      } finally {
        database.close()
      }
      syncFile(draft)
      publishCopy(draft, file)
    } catch (error) {
      removeDatabase(draft)
      throw error
    }
  })
}

/** The log of a missing database would be applied to the new one. */
function refuseOrphans(file: string): void {
  const log = sidecars(file).find((path) => !path.endsWith('-shm') && sizeOf(path) > 0)
  if (log === undefined) return
  const fix = 'Restore a backup, or move that file elsewhere to start with an empty database.'
  throw new StorageError('missing', `${file} is gone, but its log ${log} is not. ${fix}`)
}

function sizeOf(path: string): number {
  return guarded(path, () => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
}

function copyBefore(database: Connection, from: number, to: number): string {
  const copy = freeName(`${database.name}.before-${to}`)
  const partial = `${copy}.partial`
  return guarded(copy, () => {
    // What a killed migration left.
    removeDatabase(partial)
    try {
      createPrivateFile(partial)
      database.prepare('VACUUM INTO ?').run(partial)
      sealCopy(partial, from)
      publishCopy(partial, copy)
      return copy
    } catch (error) {
      removeDatabase(partial)
      throw error
    }
  })
}

function applyOrUndo(
  database: Connection,
  from: number,
  migrations: readonly Migration[],
  copy: string | undefined,
): void {
  // A migration that rebuilds a table must be able to drop it; all keys are checked at the end.
  database.pragma('foreign_keys = OFF')
  guarded(database.name, () => database.exec('BEGIN IMMEDIATE'))
  try {
    refuseSurprise(database, from)
    database.pragma(`application_id = ${APPLICATION_ID}`)
    for (const migration of migrations) if (migration.number > from) apply(database, migration)
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    // Undone, the database is its own copy; starting again and again would fill the disk.
    if (copy !== undefined) removeDatabase(copy)
    throw storageError(error, database.name)
  }
}

function apply(database: Connection, { number, name, sql }: Migration): void {
  try {
    database.exec(sql)
    const [broken] = database.prepare<[], { table: string }>('PRAGMA foreign_key_check').all()
    if (broken !== undefined) throw new Error(`${broken.table} refers to rows that do not exist`)
    database.pragma(`user_version = ${number}`)
  } catch (error) {
    const failure = storageError(error, database.name)
    const ours = failure.code === 'rejected' || failure.code === 'failed'
    const reason = ours && error instanceof Error ? `${error.message}.` : failure.message
    throw new StorageError(
      ours ? 'migration_failed' : failure.code,
      `Migration ${number} (${name}) of ${database.name} was undone: ${reason} The database is as it was before.`,
      { cause: error },
    )
  }
}

function refuseSurprise(database: Connection, from: number): void {
  if (database.pragma('user_version', { simple: true }) === from) return
  const what = `${database.name} was migrated by another process at the same time`
  throw new StorageError('migration_failed', `${what}. Start again.`)
}
