import type { BackupParts } from '../../../src/server/backups/backup-copies.ts'
import { storageEngine } from '../../../src/server/storage/open-storage.ts'
import { SoleLeadership } from '../../../src/server/storage/sqlite/engine/sqlite-storage.ts'

/** What backups of a data folder need, without a server. */
export function backupParts(dataFolder: string): BackupParts {
  const { copies } = storageEngine({ dataFolder })
  return { copies, leadership: new SoleLeadership(), dataFolder }
}
