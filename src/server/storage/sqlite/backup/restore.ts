import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { whileHeldSync } from '../../../../shared/basics/held-file.ts'
import { guarded, isBusy, storageError } from '../../data-folder/errors.ts'
import {
  freeName,
  isThere,
  removeDatabase,
  sidecars,
  syncFile,
  syncFolderOf,
} from '../../data-folder/folder.ts'
import { lockDataFolder } from '../../data-folder/lock.ts'
import type { ReleaseName, RestoreOptions, RestoreResult } from '../../interface/backups.ts'
import { StorageError } from '../../interface/storage-error.ts'
import { type Connection, dataFile, withPlainConnection } from '../database.ts'
import { storedVersion } from '../header.ts'
import { type LaterState, laterState, NO_LATER_STATE } from './carry-over.ts'
import { publishCopy } from './copy.ts'
import { claimOffered, lostReleases, releaseNames } from './restored-releases.ts'
import { checkBackup, stageBackup } from './staging.ts'

/**
 * Replaces the database of a data folder with a backup, and keeps that database as
 * `tidegate.db.before-restore-<time>`. The backup is copied and checked before anything else. Whenever the
 * process is killed, either the complete old or the complete new database is in place. What happened since the
 * backup is corrected before it is served: see `claimOffered`.
 *
 * Throws `StorageError`: `locked` if a server or another command uses the folder, and another code if the
 * backup cannot be used. Nothing is changed then.
 */
export async function restoreDatabase(
  folder: string,
  backupFile: string,
  { actor, staged = false, lockHeld = false }: RestoreOptions & { readonly lockHeld?: boolean },
): Promise<RestoreResult> {
  const backup = resolve(backupFile)
  const version = checkBackup(backup)
  const lock = lockHeld ? undefined : lockDataFolder(folder)
  try {
    const file = dataFile(folder)
    const copy = `${file}.restoring`
    if (!staged) await stageBackup(folder, backup, copy)
    try {
      if (staged) moveTo(copy, backup)
      const present = presentState(file)
      const kept = withPlainConnection(copy, { readonly: true }, releaseNames)
      const lost = lostReleases(present?.names ?? [], kept)
      const claims = claimOffered(copy, actor, lost, present)
      syncFile(copy)
      return { version, aside: exchange(file, copy), ...claims, lost }
    } catch (error) {
      removeDatabase(copy)
      throw storageError(error, copy)
    }
  } finally {
    lock?.release()
  }
}

/** Puts the database that a restore kept aside in its place again, and the present one aside. Throws `StorageError`. */
export function putBack(folder: string, aside: string): void {
  const lock = lockDataFolder(folder)
  try {
    checkBackup(aside)
    exchange(dataFile(folder), aside)
  } finally {
    lock.release()
  }
}

function moveTo(copy: string, staged: string): void {
  removeDatabase(copy)
  whileHeldSync(process.platform, () => renameSync(staged, copy))
}

interface PresentState extends LaterState {
  readonly names: readonly ReleaseName[]
}

/** Null if the database cannot be read, which must not prevent the restore. */
function presentState(file: string): PresentState | null {
  try {
    if (!isThere(file)) return { names: [], ...NO_LATER_STATE }
    return withPlainConnection(file, { readonly: true }, (database) => {
      return { names: releaseNames(database), ...laterState(database) }
    })
  } catch {
    return null
  }
}

/** Replaces `file` with `copy`. Returns the new path of the old file. */
function exchange(file: string, copy: string): string | undefined {
  if (!isThere(file)) {
    removeDatabase(file)
    publishCopy(copy, file)
    return undefined
  }
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const aside = freeName(`${file}.before-restore-${stamp}`)
  const held = isReadable(file) ? foldLog(file) : undefined
  try {
    keepAs(file, aside)
    // The log of a damaged database was not merged into it, and must not be applied to the new one.
    if (held === undefined) moveSidecars(file, aside)
    // Windows does not rename open files.
    if (process.platform === 'win32') held?.close()
    publishCopy(copy, file)
    return aside
  } catch (error) {
    // Still the present database, under a second name.
    if (existsSync(copy)) rmSync(aside, { force: true })
    throw error
  } finally {
    held?.close()
  }
}

/** Checks without changing anything: a damaged file and its log are kept as they are. */
function isReadable(file: string): boolean {
  try {
    storedVersion(file)
    return true
  } catch (error) {
    return !isDamage(storageError(error, file))
  }
}

/**
 * Makes the old database a single file without a log and keeps it locked, so that no command
 * that starts now can write to it, or leave its log beside the new one. Returns undefined if it is too damaged
 * for that.
 */
function foldLog(file: string): Connection | undefined {
  let database: Connection | undefined
  try {
    database = new Database(file, { timeout: 0, fileMustExist: true })
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    const failure = isBusy(error) ? busyElsewhere(file) : storageError(error, file)
    if (isDamage(failure)) return undefined
    throw failure
  }
}

function isDamage({ code }: StorageError): boolean {
  return code === 'not_a_database' || code === 'corrupt' || code === 'io'
}

function busyElsewhere(file: string): StorageError {
  return new StorageError({ code: 'locked', file, circumstance: { kind: 'opened_elsewhere' } })
}

/** Gives the file a second name. The first name stays until the new database replaces it in one step. */
function keepAs(file: string, aside: string): void {
  guarded(aside, () => {
    try {
      linkSync(file, aside)
    } catch {
      // A file system without links.
      copyFileSync(file, `${aside}.partial`)
      syncFile(`${aside}.partial`)
      whileHeldSync(process.platform, () => renameSync(`${aside}.partial`, aside))
    }
    syncFolderOf(aside)
  })
}

function moveSidecars(file: string, aside: string): void {
  rmSync(`${file}-shm`, { force: true })
  for (const [index, path] of sidecars(file).entries()) {
    const kept = sidecars(aside)[index]
    if (kept !== undefined && existsSync(path)) {
      whileHeldSync(process.platform, () => renameSync(path, kept))
    }
  }
  syncFolderOf(file)
}
