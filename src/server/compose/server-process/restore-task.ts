import type { RestoreTask } from '../../../shared/console/desktop/server-process.ts'
import type { Inspection, RestoreOutcome } from '../../../shared/console/settings/backups.ts'
import { bringBackFiles, compareFiles } from '../../backups/files/files-beside.ts'
import { inspectionOf, NONE_LACKING } from '../../backups/restores.ts'
import { accountName } from '../../runtime/account.ts'
import type { NamedFile } from '../../storage/interface/backups.ts'
import type { StorageEngine } from '../../storage/interface/engine.ts'
import { storageEngine, storageProblem } from '../../storage/open-storage.ts'

/** The process of the task is killed to end it. */
const NEVER = new AbortController().signal

/** Returns what restoring a backup would do, with the stored files beside it. Changes nothing. Never rejects. */
export function inspectBackup({ dataFolder, files, file }: RestoreTask): Promise<Inspection> {
  const engine = storageEngine({ dataFolder })
  return inspectionOf(file, async () => {
    const compared = await engine.compare(file)
    if (files === null) return { ...compared, files: null }
    const named = await namedIn(engine, file)
    return { ...compared, files: await compareFiles({ named, backup: file, folder: files.folder }) }
  })
}

/** Restores a backup, and before it the stored files beside it; no server may hold either folder. Never rejects. */
export async function restoreBackup({
  dataFolder,
  files,
  file,
}: RestoreTask): Promise<RestoreOutcome> {
  const engine = storageEngine({ dataFolder })
  try {
    const actor = { kind: 'console', name: accountName() } as const
    const lacking = files === null ? NONE_LACKING : await bringBack(engine, file, files)
    const {
      aside = null,
      offered,
      carriedOver,
      access,
      lost,
    } = await engine.restore(file, { actor })
    return { ok: true, aside, offered, carriedOver, access, lost, lacking }
  } catch (error) {
    return { ok: false, problem: storageProblem(error, file) }
  }
}

async function bringBack(
  engine: StorageEngine,
  backup: string,
  files: NonNullable<RestoreTask['files']>,
) {
  const named = await namedIn(engine, backup)
  return (await bringBackFiles({ named, backup, ...files }, NEVER)).lacking
}

function namedIn(engine: StorageEngine, backup: string): Promise<NamedFile[]> {
  return engine.copies.filesNamedIn(backup, NEVER)
}
