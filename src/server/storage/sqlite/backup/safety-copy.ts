import { guarded } from '../../data-folder/errors.ts'
import { createPrivateFile, freeName, isThere, removeDatabase } from '../../data-folder/folder.ts'
import { type Connection, withPlainConnection } from '../database.ts'
import { publishCopy, sealCopy } from './copy.ts'

/** What an interrupted migration had done: the schema versions, and the copy from before it. */
export interface SettledMigration {
  readonly from: number
  readonly copy: string
}

/** The one complete copy of a database that is being migrated. Durable before the migration begins. */
function pendingCopy(file: string): string {
  return `${file}.before-upgrade`
}

function partialCopy(file: string): string {
  return `${pendingCopy(file)}.partial`
}

/**
 * Copies a database of schema `version` to `<file>.before-upgrade` before it is migrated, checks the copy and
 * flushes it to the disk. Every attempt uses the same name, so a migration that is killed repeatedly leaves one
 * copy. Throws `StorageError`; there is no copy then.
 */
export function makeSafetyCopy(database: Connection, version: number): void {
  const partial = partialCopy(database.name)
  guarded(partial, () => {
    try {
      createPrivateFile(partial)
      database.prepare('VACUUM INTO ?').run(partial)
      sealCopy(partial, version)
      publishCopy(partial, pendingCopy(database.name))
    } catch (error) {
      removeDatabase(partial)
      throw error
    }
  })
}

/**
 * Gives the copy its final name, the first free one of `<file>.before-<version>`, once the
 * migration to that version is committed. Returns the name. Throws `StorageError`.
 */
export function publishSafetyCopy(file: string, version: number): string {
  const copy = freeName(`${file}.before-${version}`)
  guarded(copy, () => publishCopy(pendingCopy(file), copy))
  return copy
}

/**
 * Cleans up after a migration that failed or was killed, given the schema version that the database has now:
 * publishes the copy when the migration was committed, and deletes it when it was not. The caller
 * holds the lock of the data folder. Throws `StorageError`.
 */
export function settleSafetyCopy(file: string, version: number): SettledMigration | undefined {
  guarded(file, () => removeDatabase(partialCopy(file)))
  const pending = pendingCopy(file)
  if (!isThere(pending)) return undefined
  const from = withPlainConnection(pending, { readonly: true }, (copy) =>
    Number(copy.pragma('user_version', { simple: true })),
  )
  if (from < version) return { from, copy: publishSafetyCopy(file, version) }
  guarded(pending, () => removeDatabase(pending))
  return undefined
}
