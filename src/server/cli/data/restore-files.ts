import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bringBackFiles } from '../../backups/files/files-beside.ts'
import { lackingReleases } from '../../backups/files/restore-files.ts'
import type { LostReleases } from '../../storage/interface/backups.ts'
import type { StorageEngine } from '../../storage/interface/engine.ts'
import { Failure, UsageError } from '../command/errors.ts'
import { report } from '../command/output.ts'
import { shownWork } from '../command/percent-progress.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/database.ts'
import { type FilesOptions, keptFolderOf } from './kept-files.ts'

const words = text.restore

/** The files that a backup names, once it is restored. */
interface RestoredFiles {
  readonly restored: number
  readonly bytes: number
  /** Releases of the backup that lack files. */
  readonly lacking: LostReleases
}

/** Brings back the files of a backup, if asked, and finds releases that lack some. Throws `UsageError`, `Failure`, `StorageError`. */
export async function restoreStoredFiles(
  engine: StorageEngine,
  backup: string,
  options: FilesOptions,
): Promise<RestoredFiles | null> {
  const { signal } = new AbortController()
  // What is wrong with the backup is said when it is restored.
  const named = await engine.copies.filesNamedIn(backup, signal).catch(() => [])
  if (named.length === 0) return null
  const folder = await keptFolderOf(options, engine)
  if (folder === undefined) {
    if (options.withFiles) throw new UsageError(text.files.unknownFolder)
    report(common.warning(words.filesUnknown(new Set(named.map(({ sha512 }) => sha512)).size)))
    return null
  }
  if (!options.withFiles) {
    const isThere = (sha512: string) => existsSync(join(folder, 'files', sha512))
    return { restored: 0, bytes: 0, lacking: lackingReleases(named, isThere) }
  }
  const { count, bytes, lacking } = await shownWork(
    { part: words.restoringFiles, all: words.filesVerified },
    () => new Failure(words.filesInterrupted),
    (ended, show) =>
      bringBackFiles({ named, backup, folder }, ended, ({ done, total }) => show(done, total)),
  )
  return { restored: count, bytes, lacking }
}
