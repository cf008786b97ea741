import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import {
  freeName,
  isThere,
  removeDatabase,
  sidecars,
  syncFile,
  syncFolderOf,
} from '../../data-folder/folder.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { Connection } from '../database.ts'
import { guarded, isBusy, storageError } from '../errors.ts'
import { storedVersion } from '../header.ts'
import { publishCopy } from './copy.ts'

/** Replaces `file` with `copy`. Returns the new path of the old file. */
export function exchange(file: string, copy: string): string | undefined {
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
