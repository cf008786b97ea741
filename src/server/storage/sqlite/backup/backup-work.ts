import type { StorageProblem } from '../../../../shared/storage-problem.ts'
import { backupDatabase } from './backup.ts'
import { compareCopy, inspectCopy } from './inspect.ts'
import { filesNamedIn } from './named-files.ts'
import { stageBackup } from './staging.ts'

/** Work about a copy of a database, plain data for a thread. */
export interface BackupTask {
  readonly name: keyof typeof BACKUP_WORK
  /** The file of the copy, which is made or read. */
  readonly copy: string
  /** The data folder of the server. */
  readonly folder: string
}

export type BackupAnswer = { readonly value: unknown } | { readonly problem: StorageProblem }

interface Files {
  readonly copy: string
  readonly folder: string
}

/** What is done on a thread, by name. */
export const BACKUP_WORK = {
  make: ({ copy, folder }: Files, signal: AbortSignal) => backupDatabase(folder, copy, { signal }),
  inspect: ({ copy }: Files) => inspectCopy(copy),
  files: ({ copy }: Files) => filesNamedIn(copy),
  compare: ({ copy, folder }: Files) => compareCopy(copy, folder),
  stage: ({ copy, folder }: Files) => stageBackup(folder, copy),
}

export type BackupWork = typeof BACKUP_WORK
