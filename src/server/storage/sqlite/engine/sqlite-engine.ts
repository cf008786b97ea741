import { stat } from 'node:fs/promises'
import { messageOf } from '../../../../shared/basics/message-of.ts'
import { freeBytesOf } from '../../../hosting/uploads/space.ts'
import { TaskThreads } from '../../../runtime/threads/task-threads.ts'
import { workerUrl } from '../../../runtime/threads/worker-url.ts'
import { createFolder, isThere, removeDatabase } from '../../data-folder/folder.ts'
import { folderHolder, lockDataFolder } from '../../data-folder/lock.ts'
import type { StorageConfig, StorageEngine } from '../../interface/engine.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { BackupAnswer, BackupTask, BackupWork } from '../backup/backup-work.ts'
import { stagedFile } from '../backup/staging.ts'
import { dataFile } from '../database.ts'
import { storedVersion } from '../header.ts'

/** SQLite in a data folder. Rarely used modules are loaded when they are needed. */
export function sqliteEngine({ dataFolder: folder }: StorageConfig): StorageEngine {
  const location = dataFile(folder)
  return {
    location,
    makesBackups: true,
    copies: {
      createFolder,
      make: onThread('make', folder),
      inspect: onThread('inspect', folder),
      filesNamedIn: onThread('files', folder),
      compare: onThread('compare', folder),
      stage: onThread('stage', folder),
      unstage: () => removeDatabase(stagedFile(folder)),
      schemaOf: storedVersion,
      discard: removeDatabase,
    },
    exists: async () => isThere(location),
    version: async () => storedVersion(location),
    holder: async () => folderHolder(folder),
    async space() {
      const [database, log, freeBytes] = await Promise.all([
        stat(location),
        // Missing between a checkpoint and the next write.
        stat(`${location}-wal`).catch(() => undefined),
        freeBytesOf(folder),
      ])
      return { databaseBytes: database.size, logBytes: log?.size ?? 0, freeBytes }
    },
    backup: async (destination, options) =>
      (await import('../backup/backup.ts')).backupDatabase(folder, destination, options),
    compare: async (backup) => (await import('../backup/inspect.ts')).compareCopy(backup, folder),
    restore: async (backup, options) =>
      (await import('../backup/restore.ts')).restoreDatabase(folder, backup, options),
    putBack: async (aside) => (await import('../backup/restore.ts')).putBack(folder, aside),
    examine: async () => (await import('../backup/doctor.ts')).examine(folder),
    planUpgrade: async () => (await import('../prepare.ts')).planUpgrade(folder),
    upgrade: async () =>
      (await import('../prepare.ts')).prepareDatabase(folder, { lockHeld: false }),
    isErasurePending: async (name) =>
      (await import('../fleet/database/erasure.ts')).isErasurePending(location, name),
    async erase(name) {
      const { eraseStored } = await import('../fleet/database/erasure.ts')
      try {
        const lock = lockDataFolder(folder)
        try {
          eraseStored(location, name)
          return true
        } finally {
          lock.release()
        }
      } catch (error) {
        if (error instanceof StorageError && error.code === 'locked') return false
        throw error
      }
    },
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
