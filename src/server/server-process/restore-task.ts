import type { Inspection, RestoreOutcome } from '../../shared/console/backups.ts'
import { accountName } from '../account.ts'
import { inspectionOf } from '../backups/inspection.ts'
import { storageEngine, storageProblem } from '../storage/open-storage.ts'

/** Returns what restoring that file into the data folder would do. Changes nothing. Never rejects. */
export function inspectBackup(dataFolder: string, file: string): Promise<Inspection> {
  return inspectionOf(file, () => storageEngine({ dataFolder }).compare(file))
}

/** Restores that file into the data folder, which no server may hold. Never rejects. */
export async function restoreBackup(dataFolder: string, file: string): Promise<RestoreOutcome> {
  try {
    const actor = { kind: 'console', name: accountName() } as const
    const result = await storageEngine({ dataFolder }).restore(file, { actor })
    const { aside = null, offered, carriedOver, lost } = result
    return { ok: true, aside, offered, carriedOver, lost }
  } catch (error) {
    return { ok: false, problem: storageProblem(error, file) }
  }
}
