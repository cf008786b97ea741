import type { StorageEngine } from '../storage/interface/engine.ts'
import { storageEngine } from '../storage/open-storage.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { Failure } from './errors.ts'
import { text } from './strings/common.ts'

/**
 * Returns the storage of the data folder, readable or not. Rejects with `Failure` when there is none, and
 * changes nothing.
 */
export async function existingStorage(options: DataOptions): Promise<StorageEngine> {
  const dataFolder = dataFolderOf(options)
  const engine = storageEngine({ dataFolder })
  if (!(await engine.exists())) throw missing(dataFolder)
  return engine
}

/** Rejects with `Failure` when the data folder has no database; then no file is created. */
export async function requireDatabase(dataFolder: string): Promise<void> {
  if ((await storageEngine({ dataFolder }).version()) === 0) throw missing(dataFolder)
}

function missing(folder: string): Failure {
  return new Failure(text.noDatabase(folder))
}
