import type { ServerStorageConfig, StorageConfig, StorageEngine } from './interface/engine.ts'
import type { MoveOptions, MovePlace, MoveResult } from './interface/moves.ts'
import type { AttachedStorage, Storage, StorageEvents } from './interface/storage.ts'
import { postgresEngine } from './postgres/engine/postgres-engine.ts'
import { sqliteEngine } from './sqlite/engine/sqlite-engine.ts'

export { storageError, storageProblem } from './data-folder/errors.ts'
export { createFolder } from './data-folder/folder.ts'
export { lockKeptFiles, prepareKeptFiles } from './data-folder/lock.ts'

/**
 * Opens the storage for a server: creates it if there is none, and migrates it if it is older. Throws
 * `StorageError` if it cannot be used (in use, newer, damaged), and closes everything again.
 */
export async function openStorage(
  config: ServerStorageConfig,
  events: StorageEvents = {},
): Promise<Storage> {
  const { database } = config
  if (database === undefined) {
    const { openSqlite } = await import('./sqlite/engine/sqlite-storage.ts')
    return await openSqlite(config, events)
  }
  const { openPostgres } = await import('./postgres/engine/postgres-storage.ts')
  return await openPostgres({ ...config, database }, events)
}

/**
 * Opens the storage for a command, whether a server runs on it or not, migrated if it is older
 * and created if there is none. Throws `StorageError`.
 */
export async function attachStorage(config: StorageConfig): Promise<AttachedStorage> {
  const { database } = config
  if (database === undefined) {
    const { attachSqlite } = await import('./sqlite/engine/attached-sqlite.ts')
    return attachSqlite(config)
  }
  const { attachPostgres } = await import('./postgres/engine/attached-postgres.ts')
  return await attachPostgres({ ...config, database })
}

/** See `move`, which is loaded when it is needed. */
export async function moveStorage(options: MoveOptions): Promise<MoveResult> {
  const { move } = await import('./move/move.ts')
  return await move(options)
}

/** See `discardMove` of the same file. */
export async function discardMove(to: MovePlace): Promise<string> {
  const { discardMove: discard } = await import('./move/move.ts')
  return await discard(to)
}

/** Returns the operations on all of the stored data, without opening it. */
export function storageEngine(config: StorageConfig): StorageEngine {
  const { database } = config
  return database === undefined ? sqliteEngine(config) : postgresEngine(database)
}
