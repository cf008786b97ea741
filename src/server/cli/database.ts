import { isThere } from '../storage/data-folder/folder.ts'
import { dataFile } from '../storage/sqlite/database.ts'
import { StorageError } from '../storage/sqlite/errors.ts'
import { storedVersion } from '../storage/sqlite/header.ts'
import { prepareDatabase } from '../storage/sqlite/prepare.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'

/**
 * The database of the data folder, migrated where it is older. Throws `StorageError`, `missing`
 * where there is none; then no file is created.
 */
export function requireDatabase(options: DataOptions): string {
  const folder = dataFolderOf(options)
  if (storedVersion(dataFile(folder)) === 0) throw missing(folder)
  return createDatabase(options)
}

/** The same, but creates the database where there is none. */
export function createDatabase(options: DataOptions): string {
  const folder = dataFolderOf(options)
  prepareDatabase(folder, { lockHeld: false })
  return dataFile(folder)
}

/** Throws `StorageError` `missing` where there is no file at all; looks at none and changes none. */
export function requireFile(options: DataOptions): void {
  const folder = dataFolderOf(options)
  if (!isThere(dataFile(folder))) throw missing(folder)
}

function missing(folder: string): StorageError {
  const fix = 'create one with "serve" or "app create --init", or choose another folder with --data'
  return new StorageError('missing', `there is no database in ${folder}; ${fix}`)
}
