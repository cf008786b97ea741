import { z } from 'zod'
import { RestoredAccess } from '../../../shared/access/restored-access.ts'

const Releases = z.strictObject({
  count: z.int(),
  newest: z.array(z.strictObject({ app: z.string(), channel: z.string(), version: z.string() })),
})

export const BackupDocument = z.strictObject({
  file: z.string(),
  pages: z.int(),
  bytes: z.int(),
  milliseconds: z.number(),
  /** The stored files, if they were asked for: those that the folder beside the backup did not have. */
  files: z.strictObject({ folder: z.string(), copied: z.int(), bytes: z.int() }).nullable(),
})
export const RestoreDocument = z.strictObject({
  file: z.string(),
  /** Where the previous database is now; null if there was none. */
  aside: z.string().nullable(),
  /** Releases that count as offered, because they may have been since the backup. */
  offered: z.int(),
  /** What was kept of the previous database; null if it cannot be read. */
  carriedOver: z
    .strictObject({ rolledBack: z.int(), servingKept: z.int(), keysRevoked: z.int() })
    .nullable(),
  /** How people and keys are kept from access that was taken since the backup. */
  access: RestoredAccess,
  /** Releases that are not in the backup. `newest`: at most 100. */
  lost: Releases,
  /** The files that the server stores; null if the backup names none, or it is not known where they are. */
  files: z
    .strictObject({
      /** Files that were brought back, and their bytes. */
      restored: z.int(),
      bytes: z.int(),
      /** Releases of the backup that lack files. `newest`: at most 100. */
      lacking: Releases,
    })
    .nullable(),
})
