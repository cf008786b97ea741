import { attachSqlite } from './attached-sqlite.ts'
import type { StorageConfig, StorageEngine } from './interface/engine.ts'
import type { AttachedStorage, Storage, StorageEvents } from './interface/storage.ts'
import { SqliteEngine } from './sqlite-engine.ts'
import { openSqlite } from './sqlite-storage.ts'

export { readScan } from './fleet/database/device-scan.ts'
export { storageError, storageProblem } from './sqlite/errors.ts'

/**
 * Opens the storage for a server: creates it where there is none and migrates it where it is
 * older. Throws `StorageError` where it cannot be used (in use, newer, damaged); everything is
 * closed again then.
 */
export function openStorage(config: StorageConfig, events: StorageEvents = {}): Promise<Storage> {
  return openSqlite(config, events)
}

/**
 * Opens the storage for a command, whether a server runs on it or not, migrated where it is older
 * and created where there is none. Throws `StorageError`.
 */
export function attachStorage(config: StorageConfig): AttachedStorage {
  return attachSqlite(config)
}

/** What can be done with the data as a whole, without opening it. */
export function storageEngine(config: StorageConfig): StorageEngine {
  return new SqliteEngine(config)
}
