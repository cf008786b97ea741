import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Holder } from '../../../shared/operation/storage-problem.ts'
import type { KeptFiles, StorageHolder } from '../interface/engine.ts'
import { StorageError } from '../interface/storage-error.ts'
import { guarded, isBusy, storageError } from './errors.ts'
import { createDataFolder, createFolder, ensurePrivateFile } from './folder.ts'
import { namedIn, readNote, writeNote } from './holder-note.ts'

/** Milliseconds that a claim waits: longer than `isFolderHeld` of another process holds the lock. */
const LOOK_TIME = 100

/** The locks of this process. Without a reference, garbage collection would release a lock. */
const held = new Set<Database.Database>()

/**
 * Locks a file, and creates it if it is missing. The operating system holds the lock and releases it when the process
 * ends, however it ends. Throws `inUse()` at once if another process, or another part of this one, holds it.
 *
 * Returns what releases the lock, after `before`. Idempotent.
 */
export function claimFile(file: string, inUse: () => StorageError): (before: () => void) => void {
  let database: Database.Database | undefined
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

const TOKEN_BYTES = 32

export interface FolderLock {
  /** Random for every claim. It is in the holder's note, so only an account that can read the folder has it. */
  readonly statusToken: string
  /** Records where the server listens and keeps files, for processes that find the folder locked. */
  announce(address: string, keptFiles?: KeptFiles | null): void
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
  const note = holderFile(folder)
  const release = claimFile(lockFile(folder), () => locked(folder))
  const statusToken = randomBytes(TOKEN_BYTES).toString('base64url')
  const holder = { pid: process.pid, startedAt: new Date().toISOString(), statusToken }
  writeNote(note, { ...holder, address: null, keptFiles: null })
  return {
    statusToken,
    announce: (address, keptFiles = null) => writeNote(note, { ...holder, address, keptFiles }),
    // Before the lock is released: afterwards the file may belong to the next holder.
    release: () => release(() => rmSync(note, { force: true })),
  }
}

/** Returns whether a server or a maintenance command holds the folder. Creates nothing. */
export function isFolderHeld(folder: string): boolean {
  const file = lockFile(folder)
  if (!existsSync(file)) return false
  let database: Database.Database | undefined
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
  return readNote(holderFile(folder))
}

/** Returns the holder, as problems name it; null if it did not record itself. */
export function namedHolder(folder: string): Holder | null {
  return namedIn(holderFile(folder))
}

function locked(folder: string): StorageError {
  const holder = namedHolder(folder)
  const circumstance = { kind: 'held', holder } as const
  return new StorageError({ code: 'locked', file: resolve(folder), circumstance })
}

function lockFile(folder: string): string {
  return join(resolve(folder), 'server.lock')
}

function holderFile(folder: string): string {
  return join(resolve(folder), 'server.json')
}

/** Creates a folder for kept files if it is missing. Throws `StorageError` if this account cannot use it. */
export function prepareKeptFiles(folder: string): void {
  createFolder(folder)
  guarded(folder, () => accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK))
}

/**
 * Claims the folder in which a server keeps files for devices, and creates it if it is missing: what is in it is known
 * to one server alone. Returns what releases it. Throws `StorageError`, `locked` if another process or another part of
 * this one holds it.
 */
export function lockKeptFiles(folder: string): () => void {
  prepareKeptFiles(folder)
  const note = join(folder, 'artifacts.json')
  const release = claimFile(join(folder, 'artifacts.lock'), () => {
    const circumstance = { kind: 'files_held', holder: namedIn(note) } as const
    return new StorageError({ code: 'locked', file: resolve(folder), circumstance })
  })
  const startedAt = new Date().toISOString()
  writeNote(note, {
    pid: process.pid,
    startedAt,
    address: null,
    statusToken: null,
    keptFiles: null,
  })
  // Before the lock is released: afterwards the file may belong to the next holder.
  return () => release(() => rmSync(note, { force: true }))
}
