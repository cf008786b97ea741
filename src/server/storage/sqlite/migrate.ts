import { statSync } from 'node:fs'
import { guarded, storageError } from '../data-folder/errors.ts'
import {
  createPrivateFile,
  isThere,
  MOVING,
  removeDatabase,
  sidecars,
  syncFile,
} from '../data-folder/folder.ts'
import type { MigrationVersions } from '../interface/storage.ts'
import { StorageError } from '../interface/storage-error.ts'
import { publishCopy } from './backup/copy.ts'
import { makeSafetyCopy, publishSafetyCopy, settleSafetyCopy } from './backup/safety-copy.ts'
import { type Connection, openDatabase } from './database.ts'
import { APPLICATION_ID, storedVersion } from './header.ts'
import { MIGRATIONS, type Migration, schemaVersion } from './migrations/index.ts'

/** The versions are equal if nothing was migrated. */
export interface MigrationResult extends MigrationVersions {
  /** The copy of the database as it was, if it had any content. */
  readonly copy: string | undefined
}

/**
 * Brings a database file up to the last of `migrations`, all in one transaction, or creates it.
 * A database with content is copied first, to `<file>.before-<version>`; see
 * `makeSafetyCopy`. Also cleans up after a killed migration. The caller holds the lock of the
 * data folder. Blocks for as long as a copy of the file and the migrations take.
 *
 * Throws `StorageError`; the database is then what it was before, unless only naming the copy
 * failed after the commit, which the next call repeats.
 */
export function migrateDatabase(
  file: string,
  migrations: readonly Migration[] = MIGRATIONS,
): MigrationResult {
  const from = storedVersion(file, migrations)
  const to = schemaVersion(migrations)
  if (!isThere(file)) {
    refuseMoving(file)
    create(file, migrations)
    return { from, to, copy: undefined }
  }
  const left = settleSafetyCopy(file, from)
  if (from === to) {
    beginLog(file)
    return { from, to, copy: undefined, ...left }
  }
  const database = openDatabase(file)
  try {
    if (from > 0) makeSafetyCopy(database, from)
    applyOrUndo(database, from, migrations)
    return { from, to, copy: from === 0 ? undefined : publishSafetyCopy(file, to) }
  } finally {
    database.close()
  }
}

/**
 * Gives a database its write-ahead log that comes from a backup and has none: of connections that open at the same time, one
 * would begin it, and the others find the file locked whatever they may wait. Costs nothing where there is a log.
 */
function beginLog(file: string): void {
  if (!isThere(`${file}-wal`)) openDatabase(file).close()
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
        // Once, by `syncFile`: nobody misses a draft that is not complete.
        database.pragma('synchronous = OFF')
        applyOrUndo(database, 0, migrations)
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

/** A move that goes on would find another database in its place. */
function refuseMoving(file: string): void {
  if (isThere(file + MOVING)) throw new StorageError({ code: 'moving', file })
}

/** The log of a missing database would be applied to the new one. */
function refuseOrphans(file: string): void {
  const log = sidecars(file).find((path) => !path.endsWith('-shm') && sizeOf(path) > 0)
  if (log === undefined) return
  const circumstance = { kind: 'orphaned_log', log } as const
  throw new StorageError({ code: 'missing', file, circumstance })
}

function sizeOf(path: string): number {
  return guarded(path, () => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
}

function applyOrUndo(database: Connection, from: number, migrations: readonly Migration[]): void {
  // A migration that rebuilds a table must be able to drop it; all keys are checked at the end.
  database.pragma('foreign_keys = OFF')
  try {
    database.exec('BEGIN IMMEDIATE')
    refuseSurprise(database, from)
    database.pragma(`application_id = ${APPLICATION_ID}`)
    for (const migration of migrations) if (migration.number > from) apply(database, migration)
    const to = schemaVersion(migrations)
    undoable(database, `to schema ${to}`, () => refuseBrokenKeys(database))
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    settleNow(database)
    throw storageError(error, database.name)
  }
  commit(database)
}

/** Only saves space: when it fails, the next start repeats it. */
function settleNow(database: Connection): void {
  try {
    settleSafetyCopy(database.name, Number(database.pragma('user_version', { simple: true })))
  } catch {}
}

/** Keeps the safety copy when it fails: the commit may be on the disk all the same. */
function commit(database: Connection): void {
  guarded(database.name, () => {
    try {
      database.exec('COMMIT')
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK')
      throw error
    }
  })
}

function apply(database: Connection, { number, name, sql }: Migration): void {
  undoable(database, `${number} (${name})`, () => {
    database.exec(sql)
    database.pragma(`user_version = ${number}`)
  })
}

/** Once for all migrations, because it reads every table. */
function refuseBrokenKeys(database: Connection): void {
  const check = database.prepare<[], { table: string }>('PRAGMA foreign_key_check')
  for (const { table } of check.iterate()) {
    throw new Error(`${table} refers to rows that do not exist`)
  }
}

/** Throws what `work` throws, as a `StorageError` that names the migration that was undone. */
function undoable(database: Connection, which: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    const failure = storageError(error, database.name)
    const ours = failure.code === 'rejected' || failure.code === 'failed'
    throw new StorageError(
      {
        code: ours ? 'migration_failed' : failure.code,
        file: database.name,
        detail: failure.problem.detail,
        circumstance: { kind: 'undone', migration: which },
      },
      { cause: error },
    )
  }
}

function refuseSurprise(database: Connection, from: number): void {
  if (database.pragma('user_version', { simple: true }) === from) return
  const circumstance = { kind: 'migrated_elsewhere' } as const
  throw new StorageError({ code: 'migration_failed', file: database.name, circumstance })
}
