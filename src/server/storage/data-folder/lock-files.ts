import { accessSync, constants, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StorageError } from '../interface/storage-error.ts'
import { guarded } from '../sqlite/errors.ts'
import { claimFile } from './claim-file.ts'
import { createFolder } from './folder.ts'
import { namedIn, writeNote } from './holder-note.ts'

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
