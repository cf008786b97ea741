import { join, resolve } from 'node:path'
import type { Leadership } from '../runtime/cluster/leadership.ts'
import type { CopyMaker } from '../storage/interface/engine.ts'
import type { FileBackups } from './files/file-backups.ts'

export interface BackupSettings {
  /** Hours between two copies, 0 for none unless someone asks. */
  readonly everyHours: number
  /** Where the copies go; `backups` in the data folder by default. */
  readonly folder?: string | undefined
  /** Own copies that are kept, 1 or more. */
  readonly keep: number
}

/** What scheduled backups need of the storage. */
export interface BackupParts {
  readonly copies: CopyMaker
  /** Of all servers on the storage, only the leader makes copies on the schedule. */
  readonly leadership: Leadership
  readonly dataFolder: string
  /** The location of a database that is backed up with its own tools; undefined if copies can be made. */
  readonly elsewhere?: string | undefined
  /** Copies the files that backups name; undefined if the server keeps none. */
  readonly files?: FileBackups | undefined
}

/** Returns where backups go. */
export function backupFolderOf(
  { folder }: Pick<BackupSettings, 'folder'>,
  dataFolder: string,
): string {
  return resolve(folder ?? join(dataFolder, 'backups'))
}
