import { Refusal } from '../../catalog/errors.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { storageProblem } from '../../storage/open-storage.ts'

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
