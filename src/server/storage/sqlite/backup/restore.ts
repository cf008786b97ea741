import { renameSync } from 'node:fs'
import { resolve } from 'node:path'
import { isThere, removeDatabase, syncFile } from '../../data-folder/folder.ts'
import { lockDataFolder } from '../../data-folder/lock.ts'
import type { ReleaseName, RestoreOptions, RestoreResult } from '../../interface/backups.ts'
import { dataFile, withPlainConnection } from '../database.ts'
import { storageError } from '../errors.ts'
import { type LaterState, laterState, NO_LATER_STATE } from './carry-over.ts'
import { exchange } from './exchange.ts'
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
  renameSync(staged, copy)
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
