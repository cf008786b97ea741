import { accessSync, constants } from 'node:fs'
import { createDataFolder, isThere, sidecars } from '../data-folder/folder.ts'
import { lockDataFolder, namedHolder } from '../data-folder/lock.ts'
import type { MigrationVersions } from '../interface/storage.ts'
import { StorageError } from '../interface/storage-error.ts'
import { dataFile } from './database.ts'
import { guarded } from './errors.ts'
import { storedVersion } from './header.ts'
import { type MigrationResult, migrateDatabase } from './migrate.ts'
import { MIGRATIONS, type Migration, schemaVersion } from './migrations/index.ts'

export interface PrepareOptions {
  /** Whether the caller holds the lock of the data folder already. */
  readonly lockHeld: boolean
  readonly migrations?: readonly Migration[] | undefined
  /** Called before a database with content is migrated, which can take long. */
  readonly onMigrate?: ((versions: MigrationVersions) => void) | undefined
}

/**
 * Makes the database of a data folder ready to be opened: creates folder and database if they are missing,
 * migrates an older database, and does almost nothing otherwise. Without `lockHeld`, it holds the lock of the
 * folder while it migrates.
 *
 * Throws `StorageError`, `outdated` if a server of an older version is running.
 */
export function prepareDatabase(folder: string, options: PrepareOptions): MigrationResult {
  const { lockHeld, migrations = MIGRATIONS, onMigrate } = options
  createDataFolder(folder)
  const file = dataFile(folder)
  const from = storedVersion(file, migrations)
  if (lockHeld) refuseReadonly(file)
  const to = schemaVersion(migrations)
  // Without the lock, remains of a killed migration are left alone: the migration may still be running.
  if (from === to && !lockHeld) return { from, to, copy: undefined }
  const lock = lockHeld ? undefined : lockToMigrate(folder, from, to)
  try {
    if (from > 0 && from < to) onMigrate?.({ from, to })
    return migrateDatabase(file, migrations)
  } finally {
    lock?.release()
  }
}

/**
 * SQLite opens an unwritable file read-only and fails only at the first write: too late for a server
 * that already answers.
 */
function refuseReadonly(file: string): void {
  for (const path of [file, ...sidecars(file)].filter(isThere)) {
    guarded(path, () => accessSync(path, constants.R_OK | constants.W_OK))
  }
}

function lockToMigrate(folder: string, from: number, to: number) {
  try {
    return lockDataFolder(folder)
  } catch (error) {
    const isLocked = error instanceof StorageError && error.code === 'locked'
    if (!isLocked || from === 0) throw error
    const holder = namedHolder(folder)
    const circumstance = { kind: 'older_server', found: from, needed: to, holder } as const
    const file = dataFile(folder)
    throw new StorageError({ code: 'outdated', file, circumstance }, { cause: error })
  }
}
