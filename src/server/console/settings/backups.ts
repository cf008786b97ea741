import { z } from 'zod'
import {
  BackupMade,
  BackupSource,
  BackupStatus,
  DownloadTicket,
  Inspection,
  KeptCopy,
  RESTORE_CONFIRMATION,
  RestoreBegun,
  RestoreStatus,
} from '../../../shared/console/settings/backups.ts'
import { Refusal } from '../../catalog/errors.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { storageProblem } from '../../storage/open-storage.ts'
import type { ConsoleContext } from '../context.ts'
import { procedure, router } from '../trpc.ts'

const Named = z.strictObject({ name: z.string().max(100) })

/** The backups on the settings screen. Uploads and downloads have routes of their own: see `web-console/files.ts`. */
export const backupRoutes = router({
  status: procedure.output(BackupStatus).query(({ ctx }) => workOf(ctx).backups.status()),

  /** Makes a backup now; returns once it is verified and on disk. */
  now: procedure.output(KeptCopy).mutation(({ ctx }) => {
    const { backups } = workOf(ctx)
    return refusing(backups.folder, backups.now())
  }),

  /** The same, and copies the stored files that it names. */
  nowWithFiles: procedure.output(BackupMade).mutation(({ ctx }) => {
    const { backups } = workOf(ctx)
    return refusing(backups.folder, backups.withFiles())
  }),

  /** Ends the copying of stored files. The backup of the database stays. */
  cancelFiles: procedure.output(z.void()).mutation(({ ctx }) => workOf(ctx).backups.cancelFiles()),

  /** Verifies a backup again; what is wrong with it is in the result. */
  check: procedure
    .input(Named)
    .output(KeptCopy)
    .mutation(({ ctx, input }) => refusing(input.name, workOf(ctx).backups.check(input.name))),

  /** Issues a ticket for the download of a backup. */
  createDownload: procedure
    .input(Named)
    .output(DownloadTicket)
    .mutation(async ({ ctx, input }) => {
      const { backups, downloads } = workOf(ctx)
      const { session } = ctx
      if (session === null) throw new Refusal({ code: 'sign_in_needed' })
      const copy = await refusing(input.name, backups.find(input.name))
      return { ticket: downloads.issue(session.id, copy) }
    }),

  /** Refuses a file of that many bytes before it is uploaded: a browser does not read the answer while it sends. */
  checkUpload: procedure
    .input(z.strictObject({ bytes: z.int().min(0) }))
    .output(z.void())
    .query(async ({ ctx, input }) => {
      await refusing('', workOf(ctx).uploads.check(input.bytes))
    }),

  /** Deletes an uploaded backup that is not restored. */
  discardUpload: procedure
    .input(z.strictObject({ id: z.string().max(100) }))
    .output(z.void())
    .mutation(({ ctx, input }) => workOf(ctx).uploads.discard(input.id)),

  /** Whether this server restores backups itself, and how it went last. */
  restoreStatus: procedure.output(RestoreStatus).query(({ ctx }) => workOf(ctx).restores.status()),

  /** Verifies a backup and returns what restoring it would do. */
  inspect: procedure
    .input(BackupSource)
    .output(Inspection)
    .mutation(({ ctx, input }) => workOf(ctx).restores.inspect(input)),

  /** Has the server restarted with a backup. Returns before it stops; `restoreStatus` says how it went. */
  restore: procedure
    .input(z.strictObject({ source: BackupSource, confirmation: z.string().max(100) }))
    .output(RestoreBegun)
    .mutation(({ ctx, input }) => {
      workOf(ctx)
      if (input.confirmation !== RESTORE_CONFIRMATION) {
        throw new Refusal({ code: 'unconfirmed', name: RESTORE_CONFIRMATION })
      }
      return ctx.updates.restoreBackup(ctx.principal, input.source)
    }),
})

function workOf({ updates, principal }: ConsoleContext) {
  return updates.administerBackups(principal)
}

/** Turns storage errors about `file` into refusals, because the person at the computer can fix them. */
export async function refusing<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const code = error.code === 'missing' ? 'unknown_backup' : 'backup_failed'
    throw new Refusal({ code, problem: storageProblem(error, file) })
  }
}
