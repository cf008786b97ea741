import { stat } from 'node:fs/promises'
import { messageOf } from '../../../../shared/basics/message-of.ts'
import type { DeviceName } from '../../../fleet/facts.ts'
import { freeBytesOf } from '../../../hosting/uploads/space.ts'
import { TaskThreads } from '../../../runtime/threads/task-threads.ts'
import { workerUrl } from '../../../runtime/threads/worker-url.ts'
import { createFolder, isThere, removeDatabase } from '../../data-folder/folder.ts'
import { folderHolder, lockDataFolder } from '../../data-folder/lock.ts'
import type { BackupOptions, RestoreOptions } from '../../interface/backups.ts'
import type { CopyMaker, StorageConfig, StorageEngine } from '../../interface/engine.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { BackupAnswer, BackupTask, BackupWork } from '../backup/backup-work.ts'
import { stagedFile } from '../backup/staging.ts'
import { dataFile } from '../database.ts'
import { storedVersion } from '../header.ts'

/** SQLite in a data folder. Rarely used modules are loaded when they are needed. */
export class SqliteEngine implements StorageEngine {
  readonly location: string
  readonly makesBackups = true
  readonly copies: CopyMaker
  readonly #folder: string

  constructor({ dataFolder }: StorageConfig) {
    this.#folder = dataFolder
    this.location = dataFile(dataFolder)
    this.copies = {
      createFolder,
      make: onThread('make', dataFolder),
      inspect: onThread('inspect', dataFolder),
      filesNamedIn: onThread('files', dataFolder),
      compare: onThread('compare', dataFolder),
      stage: onThread('stage', dataFolder),
      unstage: () => removeDatabase(stagedFile(dataFolder)),
      schemaOf: storedVersion,
      discard: removeDatabase,
    }
  }

  async exists() {
    return isThere(this.location)
  }

  async version() {
    return storedVersion(this.location)
  }

  async holder() {
    return folderHolder(this.#folder)
  }

  async space() {
    const [database, log, freeBytes] = await Promise.all([
      stat(this.location),
      // Missing between a checkpoint and the next write.
      stat(`${this.location}-wal`).catch(() => undefined),
      freeBytesOf(this.#folder),
    ])
    return { databaseBytes: database.size, logBytes: log?.size ?? 0, freeBytes }
  }

  async backup(destination: string, options?: BackupOptions) {
    const { backupDatabase } = await import('../backup/backup.ts')
    return await backupDatabase(this.#folder, destination, options)
  }

  async compare(backup: string) {
    const { compareCopy } = await import('../backup/inspect.ts')
    return compareCopy(backup, this.#folder)
  }

  async restore(backup: string, options: RestoreOptions) {
    const { restoreDatabase } = await import('../backup/restore.ts')
    return await restoreDatabase(this.#folder, backup, options)
  }

  async putBack(aside: string) {
    const { putBack } = await import('../backup/restore.ts')
    putBack(this.#folder, aside)
  }

  async examine() {
    const { examine } = await import('../backup/doctor.ts')
    return examine(this.#folder)
  }

  async planUpgrade() {
    const { planUpgrade } = await import('../prepare.ts')
    return planUpgrade(this.#folder)
  }

  async upgrade() {
    const { prepareDatabase } = await import('../prepare.ts')
    return prepareDatabase(this.#folder, { lockHeld: false })
  }

  async isErasurePending(name: DeviceName) {
    const { isErasurePending } = await import('../fleet/database/erasure.ts')
    return isErasurePending(this.location, name)
  }

  async erase(name: DeviceName) {
    const { eraseStored } = await import('../fleet/database/erasure.ts')
    try {
      const lock = lockDataFolder(this.#folder)
      try {
        eraseStored(this.location, name)
        return true
      } finally {
        lock.release()
      }
    } catch (error) {
      if (error instanceof StorageError && error.code === 'locked') return false
      throw error
    }
  }
}

type Value<Name extends keyof BackupWork> = Awaited<ReturnType<BackupWork[Name]>>

const threads = new TaskThreads<BackupTask, BackupAnswer>(
  workerUrl('backup-worker', import.meta.url),
  { stopTime: 2_000 },
)

/**
 * Returns a function that does some work about a copy of the database on a thread, for the data folder `folder`. It throws
 * `StorageError`, and the reason of `signal` soon after that aborts.
 */
function onThread<Name extends keyof BackupWork>(name: Name, folder: string) {
  return async (copy: string, signal: AbortSignal): Promise<Value<Name>> => {
    const answer = await threads.run({ name, copy, folder }, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      const detail = `its thread ended: ${messageOf(error)}`
      throw new StorageError({ code: 'failed', file: copy, detail })
    })
    if ('problem' in answer) throw new StorageError(answer.problem)
    return answer.value as Value<Name>
  }
}
