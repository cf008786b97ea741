import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Holder } from '../../../shared/storage-problem.ts'
import { restrict } from '../../restrict.ts'
import type { StorageHolder } from '../interface/engine.ts'
import { StorageError } from '../interface/storage-error.ts'
import type { Connection } from '../sqlite/database.ts'
import { guarded, isBusy, storageError } from '../sqlite/errors.ts'
import { createDataFolder, ensurePrivateFile } from './folder.ts'

/** Milliseconds that a claim waits: longer than `isFolderHeld` of another process holds the lock. */
const LOOK_TIME = 100

/** The locks of this process. Without a reference, garbage collection would release a lock. */
const held = new Set<Connection>()

export interface FolderLock {
  /** Records where the server listens, for processes that find the folder locked. */
  announce(address: string): void
  /** Releases the folder. Idempotent. */
  release(): void
}

/**
 * Claims a data folder for this server or maintenance command, and creates it if it is missing. The operating
 * system holds the lock on `server.lock` and releases it when the process ends, however it ends.
 *
 * Throws `StorageError` `locked` at once if another process, or another part of this one,
 * holds it.
 */
export function lockDataFolder(folder: string): FolderLock {
  createDataFolder(folder)
  // SQLite would only report that it cannot open the lock file.
  guarded(folder, () => accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK))
  const database = claim(folder)
  const holder = { pid: process.pid, startedAt: new Date().toISOString() }
  note(folder, { ...holder, address: null })
  return {
    announce: (address) => note(folder, { ...holder, address }),
    release: () => {
      if (!database.open) return
      // Before the lock is released: afterwards the file may belong to the next holder.
      rmSync(holderFile(folder), { force: true })
      held.delete(database)
      database.close()
    },
  }
}

/** Returns whether a server or a maintenance command holds the folder. Creates nothing. */
export function isFolderHeld(folder: string): boolean {
  const file = lockFile(folder)
  if (!existsSync(file)) return false
  let database: Connection | undefined
  try {
    database = new Database(file, { timeout: 0, fileMustExist: true })
    database.exec('BEGIN; SELECT 1 FROM sqlite_schema; COMMIT')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw storageError(error, file)
  } finally {
    database?.close()
  }
}

/** What the holder of a data folder has recorded. It may have exited: only the lock shows that. */
export function folderHolder(folder: string): StorageHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(holderFile(folder), 'utf8'))
    return isHolder(holder) ? holder : undefined
  } catch {
    return undefined
  }
}

/** Returns the holder, as problems name it; null if it did not record itself. */
export function namedHolder(folder: string): Holder | null {
  const holder = folderHolder(folder)
  return holder === undefined ? null : { pid: holder.pid, address: holder.address }
}

function claim(folder: string): Connection {
  const file = lockFile(folder)
  let database: Connection | undefined
  try {
    // Not opened if it exists: closing a file drops every lock that this process holds on it.
    ensurePrivateFile(file)
    database = new Database(file, { timeout: LOOK_TIME })
    database.exec('BEGIN EXCLUSIVE')
    held.add(database)
    return database
  } catch (error) {
    database?.close()
    throw isBusy(error) ? locked(folder) : storageError(error, file)
  }
}

function locked(folder: string): StorageError {
  const holder = namedHolder(folder)
  const circumstance = { kind: 'held', holder } as const
  return new StorageError({ code: 'locked', file: resolve(folder), circumstance })
}

function note(folder: string, holder: StorageHolder): void {
  const file = holderFile(folder)
  try {
    writeFileSync(`${file}.partial`, JSON.stringify(holder), { mode: 0o600 })
    restrict(`${file}.partial`, 0o600)
    renameSync(`${file}.partial`, file)
  } catch {
    // A full disk must not stop the server: without the record, messages only lack the holder's name.
    rmSync(file, { force: true })
  }
}

function lockFile(folder: string): string {
  return join(resolve(folder), 'server.lock')
}

function holderFile(folder: string): string {
  return join(resolve(folder), 'server.json')
}

function isHolder(value: unknown): value is StorageHolder {
  if (typeof value !== 'object' || value === null) return false
  if (!('pid' in value && 'address' in value && 'startedAt' in value)) return false
  const { pid, address, startedAt } = value
  const named = typeof address === 'string' || address === null
  return typeof pid === 'number' && named && typeof startedAt === 'string'
}
