import { Backups, backupFolderOf } from '../backups/backups.ts'
import { DownloadTickets } from '../backups/download-tickets.ts'
import { FileBackups } from '../backups/files/file-backups.ts'
import { type RestoreHost, Restores } from '../backups/restores.ts'
import { BackupUploads } from '../backups/uploads.ts'
import type { Wiring } from './running-server.ts'

interface Parts
  extends Pick<
    Wiring,
    'config' | 'storage' | 'closing' | 'clock' | 'reserve' | 'disk' | 'hosting' | 'failed'
  > {
  /** Who can restore a backup into this server; nobody without it. */
  readonly restoreHost: RestoreHost | undefined
}

/** Backups, and what people do with them in a browser. */
export interface BackupPart {
  readonly backups: Backups
  readonly downloads: DownloadTickets
  readonly uploads: BackupUploads
  readonly restores: Restores
}

/** Starts the schedule of backups, and accepts uploads and restores. */
export async function openBackups(parts: Parts): Promise<BackupPart> {
  const { config, storage, closing, clock, reserve, disk, restoreHost, failed } = parts
  const { dataFolder } = config
  const { copies, makesBackups, location } = storage.engine
  const elsewhere = makesBackups ? undefined : location
  const files = filesOf(parts)
  const backups = new Backups(
    { copies, leadership: storage.leadership('backups'), dataFolder, elsewhere, files },
    config.backups,
    failed('could not back up the database'),
  )
  backups.start()
  closing.add(() => backups.stop())
  const uploads = new BackupUploads({ dataFolder, reserve, freeBytes: disk?.freeBytes })
  await uploads.start()
  closing.add(() => uploads.stop())
  const host = makesBackups ? restoreHost : undefined
  const restores = new Restores({ copies, backups, uploads, files, host })
  restores.start()
  closing.add(() => restores.stop())
  return { backups, downloads: new DownloadTickets(clock), uploads, restores }
}

function filesOf({ config, storage, hosting, reserve }: Parts): FileBackups | undefined {
  if (hosting === undefined || config.hosting === undefined) return undefined
  // A bucket has backups of its own.
  if (hosting.stored.kind !== 'folder') return undefined
  return new FileBackups({
    copies: storage.engine.copies,
    ...{ folder: config.hosting.folder, stored: hosting.stored, reserve },
    backups: backupFolderOf(config.backups, config.dataFolder),
  })
}
