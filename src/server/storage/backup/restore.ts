import { constants, copyFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { restrict } from '../../restrict.ts'
import { isThere, removeDatabase, syncFile } from '../data-folder/folder.ts'
import { lockDataFolder } from '../data-folder/lock.ts'
import type { ReleaseName, RestoreOptions, RestoreResult } from '../interface/backups.ts'
import { dataFile, openDatabase, withPlainConnection } from '../sqlite/database.ts'
import { backupError, storageError } from '../sqlite/errors.ts'
import { storedVersion } from '../sqlite/header.ts'
import { type LaterState, laterState, NO_LATER_STATE } from './carry-over.ts'
import { copyPages, sealCopy } from './copy.ts'
import { exchange } from './exchange.ts'
import { claimOffered, lostReleases, releaseNames } from './restored-releases.ts'

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

function checkBackup(backup: string): number {
  if (!isThere(backup)) throw backupError('missing', backup)
  const version = statSync(backup).size === 0 ? 0 : storedVersion(backup)
  if (version > 0) return version
  throw backupError('empty', backup)
}

/** Compares files, not names: a link is the same file. */
function refuseSame(backup: string, file: string): void {
  const [one, other] = [backup, file].map((path) =>
    statSync(path, { bigint: true, throwIfNoEntry: false }),
  )
  if (one?.ino !== other?.ino || one?.dev !== other?.dev) return
  throw backupError('in_use', backup)
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
