import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { guarded } from '../data-folder/errors.ts'
import { createDataFolder, freeName, isThere, sidecars } from '../data-folder/folder.ts'
import { isFolderHeld, lockDataFolder, namedHolder } from '../data-folder/lock.ts'
import type { UpgradePlan } from '../interface/engine.ts'
import type { MigrationVersions } from '../interface/storage.ts'
import { StorageError } from '../interface/storage-error.ts'
import { dataFile } from './database.ts'
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

/** The copy, and the write-ahead log of a migration that rebuilds every table. */
const COPIES = 2

/**
 * Returns what `prepareDatabase` would do to the database of a data folder, and what it needs. Changes
 * nothing; a server may be running. Throws `StorageError` if the database is newer or cannot be read.
 */
export function planUpgrade(
  folder: string,
  migrations: readonly Migration[] = MIGRATIONS,
): UpgradePlan {
  const file = dataFile(folder)
  const from = storedVersion(file, migrations)
  const to = schemaVersion(migrations)
  const isCurrent = from === to
  const isInUse = isFolderHeld(folder)
  return {
    file,
    from,
    to,
    copy: isCurrent ? null : freeName(`${file}.before-${to}`),
    neededBytes: isCurrent ? 0 : COPIES * sizeOf(file),
    freeBytes: freeBytes(folder),
    isInUse,
    holder: isInUse ? namedHolder(folder) : null,
  }
}

function sizeOf(file: string): number {
  const sizes = [file, ...sidecars(file)].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** As `freeBytesOf`; undefined if unknown. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
