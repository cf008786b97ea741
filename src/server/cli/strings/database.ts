import type { Sentences } from '../../../shared/coded.ts'
import type { Holder } from '../../../shared/operation/storage-problem.ts'
import {
  formatCounted,
  formatDuration,
  formatPercent,
  formatSize,
} from '../../../shared/wording/format.ts'
import { storageProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import type { Finding, HistoryIssue } from '../../storage/interface/findings.ts'

const upgrade = {
  description:
    'Copy the database (SQLite only) and migrate it to this version; stop the server first',
  check: 'Only show what an upgrade would do, and whether it can',

  database: (file: string) => `Database  ${file}`,
  schema: (found: number, used: number, version: string) =>
    `Schema    ${found} (Tidegate ${version} uses ${used})`,
  notInUse: 'Server    not running',
  inUse: (holder: Holder | null) => {
    if (holder === null) return 'Server    running'
    const { pid, address } = holder
    return `Server    running${address === null ? '' : ` at ${address}`} (process ${pid})`
  },
  copy: (file: string) => `Copy      ${file}`,
  disk: (needed: number, free: number | undefined) => {
    const bytes = `Disk      up to ${formatSize(needed)} needed`
    return free === undefined ? bytes : `${bytes}, ${formatSize(free)} free`
  },

  isCurrent: 'The database is up to date.',
  isReady:
    'Ready to upgrade. The next start copies the database and then migrates it, as "upgrade" does.',
  stopFirst:
    'Ready to upgrade. Stop the server, then start this version: it copies the database and then migrates it.',
  noSpace: (needed: number, free: number) =>
    `not enough disk space for an upgrade: up to ${formatSize(needed)} needed, ${formatSize(free)} free. Free some space, or move the data folder to a larger disk.`,
  isReadyWithoutCopy:
    'Ready to upgrade. Back up the database first, such as with pg_dump. The next start migrates it in one transaction, as "upgrade" does.',
  stopNodes:
    'Nodes are running. Back up the database first, such as with pg_dump. The migration is refused while nodes run that could not go on.',
  done: (from: number, to: number, copy: string | undefined) => [
    `Migrated the database from schema ${from} to ${to}.`,
    ...(copy === undefined ? [] : [`Copied the previous database to ${copy}.`]),
  ],
} as const

const RESTORE = 'Stop the server, keep a copy of the data folder and restore a backup.'

/** Texts of `backup`, `restore` and `doctor`. */
export const text = {
  upgrade,
  files: {
    artifacts:
      'Folder in which the server stores files; by default that of the running server or of its configuration file',
    unknownFolder:
      '--with-files needs --artifacts: no running server or configuration file names the folder of stored files',
  },

  backup: {
    description: 'Back up the database to one file; the server can keep running',
    file: 'File to write the backup to',
    withFiles: 'Also copy the stored files, to the folder tidegate-files beside the backup',
    force: 'Overwrite the file if it exists',
    noFolder: (folder: string) =>
      `the folder ${folder} does not exist; create it, or choose another one`,
    exists: (file: string) =>
      `${file} already exists; choose another file, or overwrite it with --force`,
    interrupted: 'the backup was interrupted, and the incomplete file was deleted',
    copying: (percent: number) => `Copying: ${formatPercent(percent)}`,
    verifying: 'Copied. Verifying…',
    copyingFiles: (percent: number) => `Copying stored files: ${formatPercent(percent)}`,
    filesCopied: 'Copied and verified the stored files.',
    filesInterrupted: (file: string) =>
      `the backup of the stored files was interrupted; the database is backed up in ${file}. Run the command again to continue`,
    filesFailed: (file: string) =>
      `The database is backed up in ${file}, but not all stored files are.`,
    filesDone: (count: number, bytes: number, folder: string) =>
      count === 0
        ? `All stored files are already in ${folder}.`
        : `Copied ${formatCounted(count, 'stored file')} (${formatSize(bytes)}) to ${folder} and verified them.`,
    done: (bytes: number, file: string, seconds: number) =>
      `Backed up ${formatSize(bytes)} to ${file} in ${formatDuration(seconds, 'second', 1)} and verified the copy.`,
  },

  restore: {
    description: 'Replace the database with a backup; stop the server first',
    file: 'Backup file',
    withFiles:
      'Also bring back stored files that are missing, from the folder tidegate-files beside the backup',
    done: (file: string) => `Verified and restored ${file}.`,
    previous: (file: string) => `The previous database was moved to ${file}.`,
    offered: (releases: number) =>
      `Marked ${formatCounted(releases, 'release')} as offered, because devices may have been offered them since the backup.`,
    rolledBack: (releases: number) =>
      `Kept ${formatCounted(releases, 'rollback')} made since the backup.`,
    serving: (releases: number) =>
      `Kept the later rollout, targets and status of ${formatCounted(releases, 'release')}.`,
    revoked: (keys: number) =>
      `Kept ${formatCounted(keys, 'key revocation')} made since the backup.`,
    nothingKept:
      'the previous database cannot be read, so rollbacks and rollout changes made since the backup are lost. Repeat them before you start the server.',
    lost: (releases: number) =>
      `${formatCounted(releases, 'release is', 'releases are')} not in the backup, but devices may run them. Publish them again with the same files:`,
    lostRelease: (app: string, channel: string, version: string) =>
      `  ${app} ${channel} ${version}`,
    moreLost: (count: number) => `  and ${count} more`,
    restoringFiles: (percent: number) => `Restoring stored files: ${formatPercent(percent)}`,
    filesVerified: 'Copied and verified the stored files.',
    filesInterrupted: 'the restore was interrupted; the database is unchanged',
    filesRestored: (count: number, bytes: number) =>
      `Restored ${formatCounted(count, 'stored file')} (${formatSize(bytes)}).`,
    lacking: (releases: number) =>
      `${formatCounted(releases, 'release')} of the backup ${releases === 1 ? 'lacks' : 'lack'} files that the server should store. Devices cannot download them. Upload them again, or restore with --with-files:`,
    filesUnknown: (files: number) =>
      `the backup uses ${formatCounted(files, 'stored file')}, and it is not known where the server stores files. To see what is missing, add --artifacts.`,
  },

  doctor: {
    description: 'Check the database without changing it',
    database: (file: string) => `Database  ${file}`,
    schema: (found: number | null, expected: number) =>
      `Schema    ${found ?? 'cannot be read'} (this version uses ${expected})`,
    size: (database: number, log: number | undefined, free: number | undefined) => {
      const ofLog = log === undefined ? '' : `, write-ahead log ${formatSize(log)}`
      const sizes = `Size      ${formatSize(database)}${ofLog}`
      return free === undefined ? sizes : `${sizes}, ${formatSize(free)} free on the disk`
    },
    headings: ['TABLE', 'ROWS'],
    unreadable: 'The tables cannot be read.',
    finding: (level: string, message: string) => `${level}: ${message}`,
    none: 'No problems found.',
    unhealthy: 'the database has problems',
    andMore: (message: string, errors: number) =>
      `${message} (and ${formatCounted(errors, 'more error', 'more errors')} on stdout)`,
  },
} as const

/** What a gap in the history is counted in, and what is missing. */
const HISTORY_ISSUES: Readonly<Record<HistoryIssue, readonly [noun: string, cause: string]>> = {
  changes_without_device: ['profile change', 'without a device'],
  changes_without_previous: ['profile change', 'without the previous change'],
  devices_without_change: ['device', 'without the latest profile change'],
  check_ins_out_of_order: ['check-in', 'with a later check-in as the previous one'],
  hours_without_profile: ['hourly count', 'without a profile'],
  devices_without_release: ['device', 'whose offered release is missing'],
  counts_without_release: ['release count', 'without a release'],
}

/** What is wrong with stored data, and what to do about it. */
export const FINDINGS: Sentences<Finding> = {
  unreadable: ({ problem }) => storageProblemSentence(problem),
  empty: () => 'There is no database yet. Start the server to create it.',
  damaged: ({ detail }) => `The database is damaged: ${detail}. ${RESTORE}`,
  orphans: ({ table, parent }) =>
    `The database is damaged: ${table} refers to missing rows of ${parent}. ${RESTORE}`,
  history: ({ issue, count }) => {
    const [noun, cause] = HISTORY_ISSUES[issue]
    return `Found ${formatCounted(count, noun)} ${cause}. The history of some devices has gaps. Update decisions are not affected.`
  },
  outdated: ({ version, expected }) =>
    `The database has schema ${version}, and this version uses ${expected}. The server migrates it at the next start.`,
  low_disk_space: ({ freeBytes, neededBytes }) =>
    `Only ${formatSize(freeBytes)} of disk space is free, less than the size of the database (${formatSize(neededBytes)}). An upgrade copies the database first, so free some space.`,
  large_log: ({ logBytes }) =>
    `The write-ahead log has grown to ${formatSize(logBytes)}. A long-running read or backup may keep it from shrinking. If none is running, restart the server.`,
  stale_nodes: ({ count }) =>
    `${formatCounted(count, 'node')} stopped without signing off. The next node that starts or runs cleans up after ${count === 1 ? 'it' : 'them'}.`,
  partitions: ({ days }) =>
    `The log has no partition for ${days.join(', ')}, so check-ins of ${days.length === 1 ? 'this day' : 'these days'} cannot be stored. Start a server: it adds partitions every hour, if its role may create tables.`,
  read_only: () =>
    'The database only accepts reads: it is a standby, or default_transaction_read_only is on. Use the address of the primary server.',
  idle_slot: ({ slot, bytes }) =>
    `The replication slot ${slot} keeps ${formatSize(bytes)} of the write-ahead log, and nothing reads it. Restart its replica, or drop it with pg_drop_replication_slot, before the disk is full.`,
}
