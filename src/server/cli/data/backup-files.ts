import { join } from 'node:path'
import { copyFiles, type FileCopyProgress } from '../../backups/files/copy-files.ts'
import { filesBeside } from '../../backups/files/files-beside.ts'
import type { StorageEngine } from '../../storage/interface/engine.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { storageError } from '../../storage/open-storage.ts'

type OnProgress = (progress: FileCopyProgress) => void

/** Copies the files that a backup names to the folder beside it. Throws `StorageError` and the reason of `signal`. */
export async function backUpFiles(
  engine: StorageEngine,
  { backup, folder }: { readonly backup: string; readonly folder: string },
  signal: AbortSignal,
  onProgress: OnProgress,
) {
  const named = await engine.copies.filesNamedIn(backup, signal)
  const [from, to] = [join(folder, 'files'), filesBeside(backup)]
  const task = { from, to, hashes: named.map(({ sha512 }) => sha512), reserve: 0 }
  const { lost, ...rest } = await guarded(to, signal, () => copyFiles(task, signal, onProgress))
  const [first] = lost
  if (first === undefined) return { folder: to, ...rest }
  const { name = first } = named.find(({ sha512 }) => sha512 === first) ?? {}
  const circumstance = { kind: 'stored_files', count: lost.length, name } as const
  throw new StorageError({ code: 'io', file: from, circumstance })
}

async function guarded<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error === signal.reason ? error : storageError(error, file)
  }
}
