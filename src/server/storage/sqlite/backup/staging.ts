import { constants, copyFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { restrict } from '../../../runtime/account.ts'
import { backupError, storageError } from '../../data-folder/errors.ts'
import { isThere, removeDatabase } from '../../data-folder/folder.ts'
import { dataFile, openDatabase } from '../database.ts'
import { storedVersion } from '../header.ts'
import { copyPages, sealCopy } from './copy.ts'

/** Where `stageBackup` puts its copy. */
export function stagedFile(folder: string): string {
  return `${dataFile(folder)}.staged`
}

/**
 * Copies a backup to `destination`, next to the database of a data folder, as one file that was checked page by page
 * and is on the disk. A server may use the folder meanwhile. Returns the copy. Throws `StorageError` if the backup
 * cannot be used; nothing is left behind then.
 */
export async function stageBackup(
  folder: string,
  backupFile: string,
  destination = stagedFile(folder),
): Promise<string> {
  const backup = resolve(backupFile)
  const version = checkBackup(backup)
  refuseSame(backup, dataFile(folder))
  try {
    removeDatabase(destination)
    await copyBackup(backup, destination)
    restrict(destination, 0o600)
    sealCopy(destination, version)
    return destination
  } catch (error) {
    removeDatabase(destination)
    throw storageError(error, destination)
  }
}

/** Returns the schema version of a backup. Throws `StorageError` if it is missing, empty or not readable here. */
export function checkBackup(backup: string): number {
  if (!isThere(backup)) throw backupError('missing', backup)
  const version = statSync(backup).size === 0 ? 0 : storedVersion(backup)
  if (version > 0) return version
  throw backupError('empty', backup)
}

/** By identity, not by name: a link is the same file. */
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
