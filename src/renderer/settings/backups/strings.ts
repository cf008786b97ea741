import type {
  BackupMade,
  BackupStatus,
  CarriedOver,
  FilesProgress,
  RestoreProblem,
} from '../../../shared/console/settings/backups.ts'
import { RESTORE_CONFIRMATION } from '../../../shared/console/settings/backups.ts'
import {
  formatCounted,
  formatDuration,
  formatList,
  formatPercent,
  formatSize,
} from '../../../shared/wording/format.ts'
import { backupProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import { keptCounts } from '../../components/strings.ts'

const areNot = (count: number) => (count === 1 ? 'is not' : 'are not')
const them = (count: number) => (count === 1 ? 'it' : 'them')

export const text = {
  title: 'Backups',
  restoreFile: 'Restore from file…',
  backUpNow: 'Back up now',
  databaseOnly: 'Database only',
  databaseAndFiles: 'Database and stored files',
  made: 'Backup created and verified',
  madeWithFiles: 'Backup of the database and stored files created and verified',
  filesCanceled: 'Backup of the database created and verified. Copying stored files was canceled.',
  copyingFiles: 'Copying stored files',
  counting: 'calculating size',
  filesNotCanceled: 'Copying was not canceled',
  notMade: 'The backup was not created',
  dialogFailed: 'The dialog could not be opened',
  serverStopped:
    'The server is not running, so its backups cannot be listed. You can still restore a backup from a file.',
  unreachable: 'Backups are shown here when the server can be reached again.',
  lastFailed: 'The last backup failed',
  notListed: 'The backups cannot be listed',
  last: 'Last backup:',
  none: 'none yet',

  elsewhere:
    'This server keeps its data in PostgreSQL. Back it up and restore it with the tools that come with the database.',
  elsewhereTools: [
    'pg_dump writes one consistent file while the nodes keep running.',
    'Continuous archiving (point-in-time recovery) can restore the data as of any point in time.',
  ],
  elsewhereFiles: 'Stored files are not in the database. Copy their folder as well.',
  elsewhereGuide: 'For step-by-step instructions, see docs/postgresql.md.',

  // The list
  empty: 'No backups yet. Choose “Back up now” to create one.',
  created: 'Created',
  size: 'Size',
  schema: 'Schema',
  status: 'Status',
  actions: 'Actions',
  otherFolder: 'From another data folder',
  verified: 'Verified',
  damaged: 'Damaged',
  verify: 'Verify',
  verifyName: (name: string) => `Verify backup ${name}`,
  notVerified: 'The backup was not verified',
  restore: 'Restore…',
  download: 'Download',
  downloadName: (name: string) => `Download backup ${name}`,
  notDownloaded: 'The backup was not downloaded',
  restoreName: (name: string) => `Restore backup ${name}`,

  // Before a restore
  restoreTitle: 'Restore backup',
  restoreAction: 'Restore backup',
  typed: RESTORE_CONFIRMATION,
  uploading: 'Uploading the backup. Nothing has been changed.',
  reading: 'Verifying the backup. Nothing has been changed.',
  cannotRestore: 'This backup cannot be restored',
  notRestored: 'The backup was not restored',
  restoringFiles: 'Restoring stored files',
  cancel: 'Cancel',
  close: 'Close',
  verifiedFrom: 'Verified backup from',
  contents: 'Contents',
  now: 'Now',
  after: 'After the restore',
  apps: 'Apps',
  releases: 'Releases',
  devices: 'Devices',
  unknown: 'Unknown',
  presentUnreadable: 'The current database cannot be read.',
  noReleaseLost: 'No release will be removed.',
  releasesLost: (count: number) =>
    `${formatCounted(count, 'release')} ${areNot(count)} in the backup and will be removed.`,
  kept: (carriedOver: CarriedOver) => {
    const counts = keptCounts(carriedOver)
    return counts.length === 0
      ? 'No rollback, serving change or key revocation was made since the backup.'
      : `Kept from after the backup: ${formatList(counts)}.`
  },
  nothingKept:
    'Rollbacks and serving changes made since the backup will be undone. Repeat them after the restore.',
  offered: (count: number) =>
    `${formatCounted(count, 'more release')} will count as offered, because devices may have been offered ${them(count)} since the backup. An offered rollout can only be raised.`,
  filesRestored: (count: number, bytes: number) =>
    `${formatCounted(count, 'stored file')} (${formatSize(bytes)}) ${count === 1 ? 'is' : 'are'} missing on the server and will be restored from the folder of the backups.`,
  lacking: (count: number) =>
    `${formatCounted(count, 'release')} ${count === 1 ? 'lacks' : 'lack'} stored files that are neither on the server nor in the folder of the backups. Devices cannot download ${them(count)} until you upload the files again:`,
  undone:
    'Everything else that changed since the backup will be undone, including device check-ins.',
  downtime:
    'The server stops for the restore and then restarts. The current database is kept in the data folder.',

  signsOut: 'Everyone is signed out, in browsers and on the command line.',

  // Releases that are not in the backup
  publishAgain: (count: number) =>
    count === 1
      ? 'Devices may run this version. Publish it again with the same files:'
      : 'Devices may run these versions. Publish them again with the same files:',
  moreVersions: (count: number) => `and ${formatCounted(count, 'other version')}`,

  // After a restore
  restored: 'Backup restored',
  dismiss: 'Dismiss',
  previousInUse: 'The previous data is in use.',
  aside: (file: string) => `The previous database is kept as ${file}.`,
  offeredNow: (count: number) =>
    `${formatCounted(count, 'more release')} ${count === 1 ? 'counts' : 'count'} as offered, because devices may have been offered ${them(count)} since the backup.`,
  nothingWasKept:
    'The previous database could not be read. Repeat the rollbacks and serving changes made since the backup.',
} as const

/** Returns that a backup was made. `files`: whether the stored files are in it; null if they were not asked for. */
export function madeText(files: BackupMade['files'] | null): string {
  if (files === null) return text.made
  return files === 'copied' ? text.madeWithFiles : text.filesCanceled
}

/** Returns how much of the stored files is done. */
export function filesProgressText({ done, total }: FilesProgress): string {
  return total === 0 ? text.counting : `${formatSize(done)} of ${formatSize(total)}`
}

/** Returns how much of a backup was uploaded. `part`: from 0 to 1. */
export function uploadingText(part: number): string {
  return `${formatPercent(Math.floor(part * 100))} uploaded`
}

/** Returns when backups are made and how many are kept. */
export function scheduleText({ everyHours, keep }: BackupStatus): string {
  const kept = keep === 1 ? 'Only the latest is kept.' : `The latest ${keep} are kept.`
  if (everyHours === 0) return `No schedule. ${kept}`
  return `Scheduled every ${everyHours === 1 ? 'hour' : formatDuration(everyHours, 'hour')}. ${kept}`
}

/** Returns why a backup cannot be read or restored, and what to do instead. */
export function restoreProblemText(problem: RestoreProblem): string {
  switch (problem.code) {
    case 'not_chosen':
      return `Choose a backup from the list, or choose a file with “${text.restoreFile}”.`
    case 'reading_ended':
      return 'The process that read the backup stopped unexpectedly. Try again.'
    case 'restoring_ended':
      return 'The process that restored the backup stopped unexpectedly. The database is intact: it is either the previous one or the one from the backup. Check your releases before you try again.'
    case 'locked':
      return 'The data folder is in use by another program. Stop that program and try again.'
    default:
      return backupProblemSentence(problem)
  }
}
