import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { restrict } from '../../restrict.ts'
import {
  freeName,
  isThere,
  removeDatabase,
  sidecars,
  syncFile,
  syncFolderOf,
} from '../data-folder/folder.ts'
import { lockDataFolder } from '../data-folder/lock.ts'
import type { ReleaseName, RestoreOptions, RestoreResult } from '../interface/backups.ts'
import { type Connection, dataFile, openDatabase, withPlainConnection } from '../sqlite/database.ts'
import { guarded, isBusy, StorageError, storageError } from '../sqlite/errors.ts'
import { storedVersion } from '../sqlite/header.ts'
import { type LaterState, laterState } from './carry-over.ts'
import { copyPages, publishCopy, sealCopy } from './copy.ts'
import { claimOffered, lostReleases, releaseNames } from './restored-releases.ts'

/**
 * Puts a backup in the place of the database of a data folder, and that database aside as
 * `tidegate.db.before-restore-<time>`. The backup is copied and checked before anything else
 * happens; if the process is killed at any time, the complete old or new database is in place. What the
 * backup cannot know is corrected before it is served: see `claimOffered`.
 *
 * Throws `StorageError`: `locked` where a server or another command uses the folder; otherwise
 * the backup cannot be used, and nothing was changed.
 */
export async function restoreDatabase(
  folder: string,
  backupFile: string,
  { actor, lockHeld = false }: RestoreOptions & { readonly lockHeld?: boolean },
): Promise<RestoreResult> {
  const backup = resolve(backupFile)
  const version = checkBackup(backup)
  const lock = lockHeld ? undefined : lockDataFolder(folder)
  try {
    const file = dataFile(folder)
    refuseSame(backup, file)
    const copy = `${file}.restoring`
    try {
      removeDatabase(copy)
      await copyBackup(backup, copy)
      restrict(copy, 0o600)
      sealCopy(copy, version)
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

interface PresentState extends LaterState {
  readonly names: readonly ReleaseName[]
}

/** Null where the database cannot be read: a backup is wanted most of all then. */
function presentState(file: string): PresentState | null {
  try {
    if (!isThere(file)) return { names: [], releases: [], revokedKeys: [] }
    return withPlainConnection(file, { readonly: true }, (database) => {
      return { names: releaseNames(database), ...laterState(database) }
    })
  } catch {
    return null
  }
}

function checkBackup(backup: string): number {
  if (!isThere(backup)) {
    throw new StorageError('missing', `There is no backup ${backup}. Check the path.`)
  }
  const version = statSync(backup).size === 0 ? 0 : storedVersion(backup)
  if (version > 0) return version
  throw new StorageError('empty', `${backup} is empty. Choose another backup.`)
}

/** By identity, not by name: a link is the same file. */
function refuseSame(backup: string, file: string): void {
  const [one, other] = [backup, file].map((path) =>
    statSync(path, { bigint: true, throwIfNoEntry: false }),
  )
  if (one?.ino !== other?.ino || one?.dev !== other?.dev) return
  throw new StorageError('in_use', `${backup} is the present database. Name a backup.`)
}

async function copyBackup(backup: string, copy: string): Promise<void> {
  if (!isThere(`${backup}-wal`)) {
    copyFileSync(backup, copy, constants.COPYFILE_FICLONE)
    return
  }
  // A part of it is in its log, and another program may be writing to it.
  const source = openDatabase(backup, { readonly: true })
  try {
    await copyPages(source, copy, {})
  } finally {
    source.close()
  }
}

/** Replaces `file` by `copy`. Answers where the old file is now. */
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
    // The log of a damaged database is not in it, and must not meet the new one.
    if (held === undefined) moveSidecars(file, aside)
    // Windows renames no file that is open.
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

/** Looks without changing anything: a damaged file and its log are kept as they are. */
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
 * that starts now can write to it, or lay a log of it beside the new one. Answers undefined where
 * it is too damaged for that.
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
  const fix = 'Wait for that command to end, or stop it. Nothing was changed.'
  return new StorageError('locked', `Another process has ${file} open. ${fix}`)
}

/** Gives the file a second name; the first stays until the new database takes it in one step. */
function keepAs(file: string, aside: string): void {
  guarded(aside, () => {
    try {
      linkSync(file, aside)
    } catch {
      // A file system without links.
      copyFileSync(file, `${aside}.partial`)
      syncFile(`${aside}.partial`)
      renameSync(`${aside}.partial`, aside)
    }
    syncFolderOf(aside)
  })
}

function moveSidecars(file: string, aside: string): void {
  rmSync(`${file}-shm`, { force: true })
  for (const [index, path] of sidecars(file).entries()) {
    const kept = sidecars(aside)[index]
    if (kept !== undefined && existsSync(path)) renameSync(path, kept)
  }
  syncFolderOf(file)
}
