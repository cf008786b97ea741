import type { StorageEngine } from '../storage/interface/engine.ts'
import { storageEngine } from '../storage/open-storage.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { Failure } from './errors.ts'
import { text } from './strings/common.ts'

/**
 * Returns the storage of the data folder, readable or not. Throws `Failure` when there is none, and
 * changes nothing.
 */
export function existingStorage(options: DataOptions): StorageEngine {
  const dataFolder = dataFolderOf(options)
  const engine = storageEngine({ dataFolder })
  if (!engine.exists()) throw missing(dataFolder)
  return engine
}

/** Throws `Failure` when the data folder has no database; then no file is created. */
export function requireDatabase(dataFolder: string): void {
  if (storageEngine({ dataFolder }).version() === 0) throw missing(dataFolder)
}

function missing(folder: string): Failure {
  return new Failure(text.noDatabase(folder))
}
