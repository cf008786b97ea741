import Database from 'better-sqlite3'
import type { StorageError } from '../interface/storage-error.ts'
import type { Connection } from '../sqlite/database.ts'
import { isBusy, storageError } from '../sqlite/errors.ts'
import { ensurePrivateFile } from './folder.ts'

/** Milliseconds that a claim waits: longer than `isFolderHeld` of another process holds the lock. */
const LOOK_TIME = 100

/** The locks of this process. Without a reference, garbage collection would release a lock. */
const held = new Set<Connection>()

/**
 * Locks a file, and creates it if it is missing. The operating system holds the lock and releases it when the process
 * ends, however it ends. Throws `inUse()` at once if another process, or another part of this one, holds it.
 *
 * Returns what releases the lock, after `before`. Idempotent.
 */
export function claimFile(file: string, inUse: () => StorageError): (before: () => void) => void {
  let database: Connection | undefined
  try {
    // Not opened if it exists: closing a file drops every lock that this process holds on it.
    ensurePrivateFile(file)
    const lock = new Database(file, { timeout: LOOK_TIME })
    database = lock
    lock.exec('BEGIN EXCLUSIVE')
    held.add(lock)
    return (before) => {
      if (!lock.open) return
      before()
      held.delete(lock)
      lock.close()
    }
  } catch (error) {
    database?.close()
    throw isBusy(error) ? inUse() : storageError(error, file)
  }
}
