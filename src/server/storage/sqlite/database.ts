import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { DATABASE_FILE } from '../../../shared/operation/data-folder.ts'
import { guarded } from '../data-folder/errors.ts'
import { isThere } from '../data-folder/folder.ts'
import { StorageError } from '../interface/storage-error.ts'

export type Connection = Database.Database

/** Milliseconds that a connection waits for a lock before it fails. */
export const BUSY_TIMEOUT = 5_000

const CACHE_KIB = 16_384
const CHECKPOINT_PAGES = 1_000

/** Bytes that the write-ahead log keeps on disk after a checkpoint. */
const WAL_KEPT = 64 * 1_024 * 1_024

export interface OpenOptions {
  readonly readonly?: boolean | undefined
  /**
   * Who moves the write-ahead log into the file: every commit of this connection that finds more
   * than 1,000 pages in it (the default), or someone else. A commit that checkpoints can take
   * over 100 ms, so the connections of a server that answers leave it to its telemetry thread.
   */
  readonly checkpoint?: 'automatic' | 'elsewhere' | undefined
  /** Page cache in KiB, 16 MiB by default. */
  readonly cacheKiB?: number | undefined
}

/** The database of a data folder. */
export function dataFile(folder: string): string {
  return join(resolve(folder), DATABASE_FILE)
}

/**
 * Opens a connection: write-ahead log, foreign keys enforced, every commit flushed to the disk before it
 * returns. Does not check versions: call `prepareDatabase` first.
 * Throws `StorageError`.
 */
export function openDatabase(file: string, options: OpenOptions = {}): Connection {
  const { readonly = false } = options
  if (!isThere(file)) throw new StorageError({ code: 'missing', file })
  return guarded(file, () => {
    const database = new Database(file, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT })
    try {
      configure(database, options)
    } catch (error) {
      database.close()
      throw error
    }
    return database
  })
}

/** What tells a file from another one that takes its place. Throws when it is not there. */
export function fileIdentity(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true })
  return `${dev}/${ino}`
}

/** Runs `work` with a connection that is not configured, and so changes nothing. */
export function withPlainConnection<T>(
  file: string,
  options: { readonly: boolean },
  work: (database: Connection) => T,
): T {
  return guarded(file, () => {
    const database = new Database(file, { ...options, fileMustExist: true, timeout: BUSY_TIMEOUT })
    try {
      return work(database)
    } finally {
      database.close()
    }
  })
}

function configure(database: Connection, options: OpenOptions): void {
  const { checkpoint = 'automatic', cacheKiB = CACHE_KIB, readonly = false } = options
  database.pragma('trusted_schema = OFF')
  database.pragma('foreign_keys = ON')
  database.pragma(`cache_size = ${-cacheKiB}`)
  if (readonly) {
    // The first access to the file: a damaged one fails here, not at a later query.
    database.pragma('user_version')
    return
  }
  const mode = database.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal') {
    const circumstance = { kind: 'no_log' } as const
    throw new StorageError({ code: 'unwritable', file: database.name, circumstance })
  }
  database.pragma('synchronous = FULL')
  // On macOS a plain fsync does not survive a power cut. Elsewhere this does nothing.
  database.pragma('fullfsync = ON')
  database.pragma(`wal_autocheckpoint = ${checkpoint === 'automatic' ? CHECKPOINT_PAGES : 0}`)
  database.pragma(`journal_size_limit = ${WAL_KEPT}`)
}
