import { z } from 'zod'
import { BackupStatus, KeptCopy } from '../../../shared/console/backups.ts'
import { Refusal } from '../../catalog/errors.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { storageProblem } from '../../storage/open-storage.ts'
import { requireServerRole } from '../../updates/access.ts'
import { type ConsoleContext, procedure, router } from '../context.ts'

/**
 * The backups on the settings screen, for administrators of the server. The main process restores them, because it
 * stops the server.
 */
export const backupRoutes = router({
  status: procedure.output(BackupStatus).query(({ ctx }) => backupsOf(ctx).status()),

  /** Makes a backup now; returns once it is verified and on disk. */
  now: procedure.output(KeptCopy).mutation(({ ctx }) => {
    const backups = backupsOf(ctx)
    return refusing(backups.folder, backups.now())
  }),

  /** Verifies a backup again; what is wrong with it is in the result. */
  check: procedure
    .input(z.strictObject({ name: z.string().max(100) }))
    .output(KeptCopy)
    .mutation(({ ctx, input }) => refusing(input.name, backupsOf(ctx).check(input.name))),
})

/** Throws `forbidden` for everyone else. */
function backupsOf({ backups, principal }: ConsoleContext): ConsoleContext['backups'] {
  requireServerRole(principal.access, 'administrator')
  return backups
}

/** Turns storage errors about `file` into refusals, because the person at the computer can fix them. */
async function refusing<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const code = error.code === 'missing' ? 'unknown_backup' : 'backup_failed'
    throw new Refusal({ code, problem: storageProblem(error, file) })
  }
}
