import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { guarded, isBusy, storageError } from '../../data-folder/errors.ts'
import { createPrivateFile, removeDatabase } from '../../data-folder/folder.ts'
import type { BackupOptions, BackupResult } from '../../interface/backups.ts'
import { StorageError } from '../../interface/storage-error.ts'
import { dataFile, openDatabase } from '../database.ts'
import { storedVersion } from '../header.ts'
import { copyPages, publishCopy, sealCopy } from './copy.ts'

/**
 * Copies the database of a data folder into one file, as it was at the start, while others read and write it.
 * Their writes make the write-ahead log grow meanwhile. The copy is checked and flushed to the disk before it
 * gets its name; the check blocks the thread for as long as reading the
 * copy takes, so a server runs a backup on a thread of its own.
 *
 * Throws `StorageError` (`exists` if the destination exists, `full` if there is no room for it), or the
 * reason of the signal; nothing is left behind then.
 */
export async function backupDatabase(
  folder: string,
  destination: string,
  options: BackupOptions = {},
): Promise<BackupResult> {
  const start = performance.now()
  const file = dataFile(folder)
  const target = resolve(destination)
  options.signal?.throwIfAborted()
  refuseDestination(file, target, options)
  const version = storedVersion(file)
  const source = openDatabase(file, { readonly: true })
  const partial = `${target}.partial`
  try {
    claim(partial)
    try {
      refuseFull(file, target)
      const pages = await copyPages(source, partial, options)
      sealCopy(partial, version)
      options.signal?.throwIfAborted()
      refuseDestination(file, target, options)
      const bytes = statSync(partial).size
      publishCopy(partial, target)
      return { pages, bytes, milliseconds: performance.now() - start }
    } catch (error) {
      removeDatabase(partial)
      throw error === options.signal?.reason ? error : storageError(error, partial)
    }
  } finally {
    source.close()
  }
}

function refuseDestination(file: string, target: string, { overwrite = false }: BackupOptions) {
  if (target === file) throw new StorageError({ code: 'in_use', file: target })
  const folder = dirname(target)
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    throw new StorageError({ code: 'missing', file: folder, circumstance: { kind: 'no_folder' } })
  }
  const present = statSync(target, { throwIfNoEntry: false })
  if (present === undefined || (overwrite && present.isFile())) return
  throw new StorageError({ code: present.isFile() ? 'replaceable' : 'exists', file: target })
}

/**
 * A copy needs at least the size of the database, so it is not started without that much free space. If the
 * disk becomes full meanwhile, the copy fails like any other.
 */
function refuseFull(file: string, target: string): void {
  const folder = dirname(target)
  const neededBytes = statSync(file).size
  const free = freeBytes(folder)
  if (free === undefined || free >= neededBytes) return
  const circumstance = { kind: 'too_little_space', neededBytes, freeBytes: free } as const
  throw new StorageError({ code: 'full', file: folder, circumstance })
}

/** Bytes that this account may still write to the disk of a folder; undefined if unknown. */
function freeBytes(folder: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder)
    return blocks === 0 ? undefined : bavail * bsize
  } catch {
    return undefined
  }
}

/** Creates the unfinished copy, for this account only. Replaces what a killed backup left behind. */
function claim(partial: string): void {
  guarded(partial, () => {
    if (existsSync(partial)) {
      refuseRunning(partial)
      removeDatabase(partial)
    }
    createPrivateFile(partial)
  })
}

/** SQLite locks a copy for as long as it writes it. */
function refuseRunning(partial: string): void {
  const copy = new Database(partial, { timeout: 0 })
  try {
    copy.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (!isBusy(error)) return
    const circumstance = { kind: 'backup_running' } as const
    throw new StorageError({ code: 'busy', file: partial, circumstance })
  } finally {
    copy.close()
  }
}
