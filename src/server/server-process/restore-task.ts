import { basename } from 'node:path'
import type { Inspection, RestoreOutcome } from '../../shared/console/backups.ts'
import { accountName } from '../account.ts'
import { readName } from '../backups/names.ts'
import { StorageError, storageEngine, storageError } from '../storage/open-storage.ts'

/** What restoring that file into the data folder would do. Never throws; changes nothing. */
export async function inspectBackup(dataFolder: string, file: string): Promise<Inspection> {
  try {
    const { copy, present, lost } = await storageEngine({ dataFolder }).compare(file)
    const { changedAt, ...rest } = copy
    const at = readName(basename(copy.file))?.at ?? changedAt
    const madeAt = new Date(at).toISOString()
    return { ok: true, copy: { ...rest, madeAt }, present, lost }
  } catch (error) {
    return { ok: false, message: inWords(error, file) }
  }
}

/** Restores that file into the data folder, which no server may hold. Never throws. */
export async function restoreBackup(dataFolder: string, file: string): Promise<RestoreOutcome> {
  try {
    const actor = { kind: 'console', name: accountName() } as const
    const result = await storageEngine({ dataFolder }).restore(file, { actor })
    const { aside = null, offered, carriedOver, lost } = result
    return { ok: true, aside, offered, carriedOver, lost }
  } catch (error) {
    return { ok: false, message: inWords(error, file) }
  }
}

/** The sentences of the storage speak of the command line's options where a file is no backup. */
function inWords(error: unknown, file: string): string {
  const failure = error instanceof StorageError ? error : storageError(error, file)
  switch (failure.code) {
    case 'not_a_database':
      return `${file} is not a database. Choose another backup.`
    case 'foreign_database':
      return `${file} is not a backup of Tidegate. Choose another one.`
    case 'newer_database':
      return `${file} was made by a newer version of Tidegate. Install that version, or choose an older backup.`
    case 'locked':
      return 'Another program uses the data folder. Stop it, and try again.'
    default:
      return failure.message
  }
}
