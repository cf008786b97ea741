import type {
  BackupSource,
  KeptCopy,
  RestoreBegun,
} from '../../../shared/console/settings/backups.ts'
import type { Backups } from '../../backups/backups.ts'
import type { DownloadTickets } from '../../backups/download-tickets.ts'
import type { Restores } from '../../backups/restores.ts'
import type { BackupUploads } from '../../backups/uploads.ts'
import { audit } from '../../catalog/audit-log.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { requireServerRole } from '../access.ts'
import { guardedApps, refuseAlone } from '../approvals/second-person.ts'
import type { Principal } from '../principal.ts'

export interface BackupWork {
  readonly backups: Backups
  readonly downloads: DownloadTickets
  readonly uploads: BackupUploads
  readonly restores: Restores
}

export interface BackupParts {
  readonly catalog: Catalog
  readonly backupWork: BackupWork
}

/** Returns what administrators of the server can do with backups. Throws `forbidden` for everyone else. */
export function administerBackups(
  { backupWork }: Pick<BackupParts, 'backupWork'>,
  { access }: Principal,
): BackupWork {
  requireServerRole(access, 'administrator')
  return backupWork
}

/**
 * Restarts the server with a backup. Returns before it stops. Refused where approval is required, as a backup can be
 * older than that, or made elsewhere. Throws `forbidden`, and as `Restores.begin` does.
 */
export async function restoreBackup(
  { catalog, backupWork }: BackupParts,
  principal: Principal,
  source: BackupSource,
): Promise<RestoreBegun> {
  const { restores } = administerBackups({ backupWork }, principal)
  refuseAlone(principal, guardedApps(await catalog.refresh()).size > 0, 'restore')
  return await restores.begin(source, principal.actor)
}

/** Records that the principal downloads a backup, which holds everything. Call it first. Throws `forbidden` and `Unavailable`. */
export async function recordBackupDownload(
  { catalog }: Pick<BackupParts, 'catalog'>,
  { access, actor }: Principal,
  { name, bytes }: Pick<KeptCopy, 'name' | 'bytes'>,
): Promise<void> {
  requireServerRole(access, 'administrator')
  const action = 'database.backup_downloaded'
  await catalog.change((tx, at) => audit(tx, at, actor, action, {}, null, { name, bytes }))
}
