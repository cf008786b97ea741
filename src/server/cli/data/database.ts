import { locationOf } from '../../storage/interface/database-url.ts'
import type { StorageConfig, StorageEngine } from '../../storage/interface/engine.ts'
import { storageEngine } from '../../storage/open-storage.ts'
import { Failure } from '../command/errors.ts'
import { text } from '../strings/common.ts'
import type { DataOptions } from './data-folder.ts'
import { storageOf } from './storage-config.ts'

/** Returns the storage of a command, readable or not. Rejects with `Failure` when there is none, and changes nothing. */
export async function existingStorage(options: DataOptions): Promise<StorageEngine> {
  const config = storageOf(options)
  const engine = storageEngine(config)
  if (!(await engine.exists())) throw missing(config)
  return engine
}

/** Rejects with `Failure` when nothing is stored there; then nothing is created. */
export async function requireDatabase(config: StorageConfig): Promise<void> {
  if ((await storageEngine(config).version()) === 0) throw missing(config)
}

function missing({ dataFolder, database }: StorageConfig): Failure {
  if (database === undefined) return new Failure(text.noDatabase(dataFolder))
  return new Failure(text.nothingStored(locationOf(database)))
}
