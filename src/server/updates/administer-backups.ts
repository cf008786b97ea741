import type { Backups } from '../backups/backups.ts'
import type { DownloadTickets } from '../backups/download-tickets.ts'
import type { Restores } from '../backups/restores.ts'
import type { BackupUploads } from '../backups/uploads.ts'
import { requireServerRole } from './access.ts'
import type { Principal } from './principal.ts'

/** What can be done with backups. */
export interface BackupWork {
  readonly backups: Backups
  readonly downloads: DownloadTickets
  readonly uploads: BackupUploads
  readonly restores: Restores
}

/** What the use case needs. */
export interface BackupParts {
  readonly backupWork: BackupWork
}

/** Returns what administrators of the server can do with backups. Throws `forbidden` for everyone else. */
export function administerBackups({ backupWork }: BackupParts, { access }: Principal): BackupWork {
  requireServerRole(access, 'administrator')
  return backupWork
}
