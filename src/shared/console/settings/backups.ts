import { z } from 'zod'
import { RestoredAccess } from '../../access/restored-access.ts'
import { RELEASE_NAMES, Timestamp } from '../../names.ts'
import { StorageProblem } from '../../operation/storage-problem.ts'

/** Rows of a database, as a person counts them. */
export const DataCounts = z.strictObject({ apps: z.int(), releases: z.int(), devices: z.int() })
export type DataCounts = z.infer<typeof DataCounts>

/** A backup that was verified. */
const CopySummary = z.strictObject({
  file: z.string(),
  bytes: z.int(),
  madeAt: Timestamp,
  /** Version of its schema. */
  schema: z.int(),
  counts: DataCounts,
})

/** Releases of the current data that are not in a backup. Devices may run them. */
export const LostReleases = z.strictObject({
  count: z.int(),
  /** The latest of them, at most 100. */
  newest: z.array(z.strictObject(RELEASE_NAMES)),
})
export type LostReleases = z.infer<typeof LostReleases>

/** What a restore kept of the data that it replaced. */
export const CarriedOver = z.strictObject({
  /** Releases that were rolled back since the backup. */
  rolledBack: z.int(),
  /** Other releases that were paused or resumed, or whose rollout or targets changed, since then. */
  servingKept: z.int(),
  /** API keys that were revoked since then. */
  keysRevoked: z.int(),
})
export type CarriedOver = z.infer<typeof CarriedOver>

/** Why a backup cannot be read or restored. */
export const RestoreProblem = z.union([
  StorageProblem,
  z.strictObject({
    code: z.enum([
      /** It is neither listed by the server nor chosen in the dialog. */
      'not_chosen',
      /** The process that read it ended before it was done. */
      'reading_ended',
      /** The process that restored it ended before it was done: the old or the new data is in place. */
      'restoring_ended',
    ]),
  }),
])
export type RestoreProblem = z.infer<typeof RestoreProblem>

/** What restoring a backup would bring back of the files that the server keeps. */
export const FilesComparison = z.strictObject({
  count: z.int(),
  bytes: z.int(),
  /** Releases that would lack files all the same. */
  lacking: LostReleases,
})
export type FilesComparison = z.infer<typeof FilesComparison>

/** What restoring a backup would do; or why it cannot be restored, and what to do instead. */
export const Inspection = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    copy: CopySummary,
    /** The current data; null if there is none, or it cannot be read. */
    present: DataCounts.nullable(),
    lost: LostReleases,
    /** Releases that would count as offered, because they may have been since the backup. */
    offered: z.int(),
    /** What would be kept of the current data; null if it cannot be read. */
    carriedOver: CarriedOver.nullable(),
    /** How people and keys would be kept from access that was taken since. */
    access: RestoredAccess,
    /** Null if the server keeps no files. */
    files: FilesComparison.nullable(),
  }),
  z.strictObject({ ok: z.literal(false), problem: RestoreProblem }),
])
export type Inspection = z.infer<typeof Inspection>

/** How a restore ended. A refused one leaves the current data unchanged. */
export const RestoreOutcome = z.discriminatedUnion('ok', [
  /** `aside`: where the database is now that was replaced; null if there was none. */
  z.strictObject({
    ok: z.literal(true),
    aside: z.string().nullable(),
    /** Releases that count as offered from now on, because they may have been since the backup. */
    offered: z.int(),
    /** Null if the data that was replaced cannot be read. */
    carriedOver: CarriedOver.nullable(),
    access: RestoredAccess,
    lost: LostReleases,
    /** Releases that lack files which the server should store. */
    lacking: LostReleases,
  }),
  z.strictObject({ ok: z.literal(false), problem: RestoreProblem }),
])
export type RestoreOutcome = z.infer<typeof RestoreOutcome>

/** A backup of the server: one that it lists, or one that was uploaded to it. */
export const BackupSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('listed'), name: z.string().max(100) }),
  z.strictObject({ kind: z.literal('uploaded'), id: z.string().max(100) }),
])
export type BackupSource = z.infer<typeof BackupSource>

/** A backup that was uploaded, until it is restored, discarded or replaced, and for half an hour at most. */
export const UploadedBackup = z.strictObject({ id: z.string(), bytes: z.int() })
export type UploadedBackup = z.infer<typeof UploadedBackup>

/** What the page knows of a file that it uploads. */
export const UploadDetails = z.strictObject({
  /** For people, who know the file by it. */
  name: z.string().min(1).max(255),
  /** Unix time in milliseconds when it was written last. */
  modified: z.coerce.number().int().min(0).max(8.64e15),
})
export type UploadDetails = z.infer<typeof UploadDetails>

/** Has to be typed before a backup is restored. */
export const RESTORE_CONFIRMATION = 'restore'

/** Whether a restore has begun, for which the server stops; or why it cannot. */
export const RestoreBegun = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({ ok: z.literal(false), problem: RestoreProblem }),
])
export type RestoreBegun = z.infer<typeof RestoreBegun>

/** A restore for which the server stopped and started again. */
export const LastRestore = z.strictObject({
  at: Timestamp,
  /** Who asked for it, as the audit log names them. */
  by: z.string(),
  outcome: RestoreOutcome,
})
export type LastRestore = z.infer<typeof LastRestore>

/** Bytes of stored files: those done, and all of them; 0 until that is known. */
export const FilesProgress = z.strictObject({ done: z.int(), total: z.int() })
export type FilesProgress = z.infer<typeof FilesProgress>

/** What the server itself does about restoring backups. */
export const RestoreStatus = z.strictObject({
  /** False where something else stops the server for it, such as the desktop app. */
  available: z.boolean(),
  /** Null if this process has restored none. */
  last: LastRestore.nullable(),
  /** Bytes of stored files that are being brought back; null otherwise. */
  files: FilesProgress.nullable(),
})
export type RestoreStatus = z.infer<typeof RestoreStatus>

/** A link to a backup, which works once, within seconds, and in the session that asked for it. */
export const DownloadTicket = z.strictObject({ ticket: z.string() })

/** A copy in the folder of the backups. */
export const KeptCopy = z.strictObject({
  name: z.string(),
  file: z.string(),
  madeAt: Timestamp,
  bytes: z.int(),
  /** Version of its schema; null if it cannot be read. */
  schema: z.int().nullable(),
  /** False for copies of another data folder: they are listed, and never deleted. */
  own: z.boolean(),
  /** Time of the last verification: when it was created, or when it was verified again. */
  checkedAt: Timestamp,
  /** What that look found wrong; null if it is intact. */
  problem: StorageProblem.nullable(),
})
export type KeptCopy = z.infer<typeof KeptCopy>

/** A backup with the stored files that it names; `files`: whether all of them were copied. */
export const BackupMade = KeptCopy.extend({ files: z.enum(['copied', 'canceled']) })
export type BackupMade = z.infer<typeof BackupMade>

export const BackupStatus = z.strictObject({
  /** False for a database that is backed up with its own tools: nothing else means anything then. */
  available: z.boolean(),
  /** 0 for manual backups only. */
  everyHours: z.int(),
  keep: z.int(),
  folder: z.string(),
  running: z.boolean(),
  lastSuccessAt: Timestamp.nullable(),
  lastFailure: z.strictObject({ at: Timestamp, problem: StorageProblem }).nullable(),
  /** Why the folder cannot be read; null if it can. */
  folderProblem: StorageProblem.nullable(),
  /** Stored files that are being copied; null if the server keeps none. */
  files: z.strictObject({ progress: FilesProgress.nullable() }).nullable(),
  /** Newest first. */
  copies: z.array(KeptCopy),
})
export type BackupStatus = z.infer<typeof BackupStatus>
