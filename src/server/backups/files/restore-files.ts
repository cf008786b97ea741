import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilesComparison } from '../../../shared/console/settings/backups.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { LostReleases, NamedFile } from '../../storage/interface/backups.ts'
import type { FileCopyProgress, FileCopyResult, FileCopyTask } from './copy-files.ts'

/** Files of a backup, and where they belong. */
export interface FileRestore {
  /** Of the files of the backup. */
  readonly from: string
  /** In which the server keeps files. */
  readonly folder: string
  readonly stored: {
    find(sha512: string): StoredFile | undefined
    add(path: string, file: Omit<StoredFile, 'storedAt'>): Promise<unknown>
  }
  readonly named: readonly NamedFile[]
  /** Bytes that stay free on the disk. */
  readonly reserve: number
}

/** What a restore brought back. */
export interface FilesRestored {
  readonly count: number
  readonly bytes: number
}

interface Restorable extends Pick<FileRestore, 'from' | 'named'> {
  readonly isStored: (sha512: string) => boolean
}

/** Returns what restoring a backup would bring back, and the releases that would lack files all the same. Changes nothing. */
export async function compareRestorable(restorable: Restorable): Promise<FilesComparison> {
  const { named, isStored } = restorable
  const sizes = await restorableFiles(restorable)
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const isThere = (sha512: string) => sizes.has(sha512) || isStored(sha512)
  return { count: sizes.size, bytes, lacking: lackingReleases(named, isThere) }
}

/** What can be brought back: files that are named, not stored, and in the backup. By their SHA-512, with their bytes. */
async function restorableFiles({
  from,
  named,
  isStored,
}: Restorable): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const { sha512 } of named) {
    if (found.has(sha512) || isStored(sha512)) continue
    const file = await stat(join(from, sha512)).catch(() => undefined)
    if (file?.isFile() === true) found.set(sha512, file.size)
  }
  return found
}

/** Brings back the missing files of a backup, verified first. Damaged ones are left out. Throws as `copy` does. */
export async function restoreFiles(
  restore: FileRestore,
  copy: (
    task: FileCopyTask,
    signal: AbortSignal,
    onProgress: (progress: FileCopyProgress) => void,
  ) => Promise<FileCopyResult>,
  signal: AbortSignal,
  onProgress: (progress: FileCopyProgress) => void,
): Promise<FilesRestored> {
  const { from, folder, stored, named, reserve } = restore
  const isStored = (sha512: string) => stored.find(sha512) !== undefined
  const sizes = await restorableFiles({ from, named, isStored })
  if (sizes.size === 0) return { count: 0, bytes: 0 }
  const names = new Map(named.map(({ sha512, name }) => [sha512, name]))
  const to = join(folder, 'restoring')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const task = { from, to, hashes: [...sizes.keys()], reserve }
    const { lost } = await copy(task, signal, onProgress)
    const isLost = new Set(lost)
    let [count, bytes] = [0, 0]
    for (const [sha512, size] of sizes) {
      if (isLost.has(sha512)) continue
      await stored.add(join(to, sha512), { sha512, name: names.get(sha512) ?? sha512, size })
      count += 1
      bytes += size
    }
    return { count, bytes }
  } finally {
    await rm(to, { recursive: true, force: true })
  }
}

/** Releases listed by name; the others are only counted. */
const MOST_NAMED = 100

/** Returns the releases that name a file which is not there. */
export function lackingReleases(
  named: readonly NamedFile[],
  isThere: (sha512: string) => boolean,
): LostReleases {
  const lacking = new Map(
    named
      .filter(({ sha512 }) => !isThere(sha512))
      .map(({ release }) => [`${release.app} ${release.channel} ${release.version}`, release]),
  )
  return { count: lacking.size, newest: [...lacking.values()].slice(0, MOST_NAMED) }
}
