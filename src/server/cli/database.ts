import type { StorageEngine } from '../storage/interface/engine.ts'
import { StorageError, storageEngine } from '../storage/open-storage.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'

/**
 * The storage of the data folder, readable or not. Throws `StorageError` `missing` where there is
 * none; looks at none and changes none.
 */
export function existingStorage(options: DataOptions): StorageEngine {
  const dataFolder = dataFolderOf(options)
  const engine = storageEngine({ dataFolder })
  if (!engine.exists()) throw missing(dataFolder)
  return engine
}

/** Throws `StorageError`, `missing` where the data folder has no database; then no file is created. */
export function requireDatabase(dataFolder: string): void {
  if (storageEngine({ dataFolder }).version() === 0) throw missing(dataFolder)
}

function missing(folder: string): StorageError {
  const fix = 'create one with "serve" or "app create --init", or choose another folder with --data'
  return new StorageError('missing', `there is no database in ${folder}; ${fix}`)
}
