import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilesComparison } from '../../../shared/console/settings/backups.ts'
import type { FolderStore } from '../../hosting/file-store.ts'
import type { LostReleases } from '../../storage/interface/backups.ts'
import type { CopyMaker } from '../../storage/interface/engine.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { namedCopies } from '../folder.ts'
import type { FileCopyProgress } from './copy-files.ts'
import { copyFilesOnThread } from './copy-files-thread.ts'
import { compareRestorable, lackingReleases, restoreFiles } from './restore-files.ts'

/** Folder of the stored files, beside the backups of the database that name them. */
export const FILES_FOLDER = 'tidegate-files'
const HASH = /^[0-9a-f]{128}$/

interface FileBackupsParts {
  readonly copies: Pick<CopyMaker, 'filesNamedIn'>
  /** In which the server keeps files. */
  readonly folder: string
  readonly stored: Pick<FolderStore, 'find' | 'add'>
  /** Of the backups. */
  readonly backups: string
  /** Bytes that a restore leaves free on the disk. */
  readonly reserve: number
}

/** Copies the files that backups name, and brings them back. What is there already is not copied again. */
export class FileBackups {
  readonly #parts: FileBackupsParts
  #progress: FileCopyProgress | null = null

  constructor(parts: FileBackupsParts) {
    this.#parts = parts
  }

  /** What is being copied or brought back. */
  get progress(): FileCopyProgress | null {
    return this.#progress
  }

  /** Copies the files that a backup names, and deletes those that none names. Throws the reason of `signal` and `StorageError`. */
  async backUp(backup: string, signal: AbortSignal): Promise<void> {
    const { copies, folder, backups } = this.#parts
    const named = await copies.filesNamedIn(backup, signal)
    const task = {
      from: join(folder, 'files'),
      to: join(backups, FILES_FOLDER),
      hashes: named.map(({ sha512 }) => sha512),
      reserve: 0,
    }
    const { lost } = await this.#watched((onProgress) =>
      copyFilesOnThread(task, signal, onProgress),
    )
    await this.#prune(signal)
    const [first] = lost
    if (first === undefined) return
    const { name = first } = named.find(({ sha512 }) => sha512 === first) ?? {}
    const circumstance = { kind: 'stored_files', count: lost.length, name } as const
    throw new StorageError({ code: 'io', file: task.from, circumstance })
  }

  /** Returns what restoring a backup would bring back, and the releases that would lack files all the same. */
  async compare(backup: string, signal: AbortSignal): Promise<FilesComparison> {
    const { named, stored, from } = await this.#restorable(backup, signal)
    const isStored = (sha512: string) => stored.find(sha512) !== undefined
    return await compareRestorable({ named, from, isStored })
  }

  /** Brings back what a backup names. Returns the releases that lack files all the same. Throws as `backUp` does. */
  async restore(backup: string, signal: AbortSignal): Promise<LostReleases> {
    const { folder, reserve, stored } = this.#parts
    const { named, ...rest } = await this.#restorable(backup, signal)
    const task = { folder, reserve, named, ...rest }
    await this.#watched((onProgress) => restoreFiles(task, copyFilesOnThread, signal, onProgress))
    return lackingReleases(named, (sha512) => stored.find(sha512) !== undefined)
  }

  async #restorable(backup: string, signal: AbortSignal) {
    const { copies, backups, stored } = this.#parts
    const named = await copies.filesNamedIn(backup, signal)
    return { named, stored, from: join(backups, FILES_FOLDER) }
  }

  async #watched<T>(work: (onProgress: (progress: FileCopyProgress) => void) => Promise<T>) {
    this.#progress = { done: 0, total: 0 }
    try {
      return await work((progress) => {
        this.#progress = progress
      })
    } finally {
      this.#progress = null
    }
  }

  /** Only right after a backup with files: backups without them may name what nothing else does. */
  async #prune(signal: AbortSignal): Promise<void> {
    const { copies, backups } = this.#parts
    const kept = new Set<string>()
    for (const { name } of await namedCopies(backups)) {
      const named = await copies.filesNamedIn(join(backups, name), signal).catch(() => undefined)
      // What one backup names is not known, so that none of the files may go.
      if (named === undefined) return
      for (const { sha512 } of named) kept.add(sha512)
    }
    const folder = join(backups, FILES_FOLDER)
    for (const name of await readdir(folder)) {
      if (HASH.test(name) && !kept.has(name)) await rm(join(folder, name), { force: true })
    }
  }
}
