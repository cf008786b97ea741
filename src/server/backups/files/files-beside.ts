import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FilesComparison } from '../../../shared/console/settings/backups.ts'
import { openFolder } from '../../hosting/shared/open-shared.ts'
import type { LostReleases, NamedFile } from '../../storage/interface/backups.ts'
import { lockKeptFiles, storageError } from '../../storage/open-storage.ts'
import { copyFiles, type FileCopyProgress } from './copy-files.ts'
import { FILES_FOLDER } from './file-backups.ts'
import { compareRestorable, lackingReleases, restoreFiles } from './restore-files.ts'

interface RestoredPlace {
  /** Files that the backup names. */
  readonly named: readonly NamedFile[]
  /** Path of the backup. */
  readonly backup: string
  readonly folder: string
}

interface Outcome {
  readonly count: number
  readonly bytes: number
  /** Releases that lack files all the same. */
  readonly lacking: LostReleases
}

/** Returns the folder with the stored files of the backups beside it. */
export function filesBeside(backup: string): string {
  return join(dirname(backup), FILES_FOLDER)
}

/** Returns what `bringBackFiles` would do. Reads no file, and changes nothing. */
export async function compareFiles({
  named,
  backup,
  folder,
}: RestoredPlace): Promise<FilesComparison> {
  const isStored = (sha512: string) => existsSync(join(folder, 'files', sha512))
  return await compareRestorable({ named, from: filesBeside(backup), isStored })
}

/** Brings back the files that a backup names. `reserve`: bytes left free. Throws `StorageError`, `locked` and the reason of `signal`. */
export async function bringBackFiles(
  { named, backup, folder, reserve = 0 }: RestoredPlace & { readonly reserve?: number },
  signal: AbortSignal,
  onProgress: (progress: FileCopyProgress) => void = () => {},
): Promise<Outcome> {
  const release = lockKeptFiles(folder)
  try {
    const stored = await openFolder(join(folder, 'files'))
    const task = { from: filesBeside(backup), folder, stored, named, reserve }
    const restored = await restoreFiles(task, copyFiles, signal, onProgress)
    const isStored = (sha512: string) => stored.find(sha512) !== undefined
    return { ...restored, lacking: lackingReleases(named, isStored) }
  } catch (error) {
    throw error === signal.reason ? error : storageError(error, folder)
  } finally {
    release()
  }
}
