import { messageOf } from '../../../shared/basics/message-of.ts'
import type { StorageErrorCode, StorageProblem } from '../../../shared/operation/storage-problem.ts'
import { StorageError } from '../interface/storage-error.ts'

/** Returns the error of a backup that cannot be used. */
export function backupError(
  code: StorageErrorCode,
  file: string,
  detail: string | null = null,
): StorageError {
  return new StorageError({ code, file, detail, circumstance: { kind: 'backup' } })
}

/** Returns anything that was thrown about `file` as a `StorageError`. */
export function storageError(error: unknown, file: string): StorageError {
  if (error instanceof StorageError) return error
  const detail = messageOf(error)
  return new StorageError({ code: kindOf(codeOf(error)), file, detail }, { cause: error })
}

/** Returns the facts of anything that was thrown about `file`, to be worded where they are shown. */
export function storageProblem(error: unknown, file: string): StorageProblem {
  return storageError(error, file).problem
}

/** Runs `work`; what it throws about `file` becomes a `StorageError`. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storageError(error, file)
  }
}

/** The write would create a duplicate. */
export function isUniqueBreach(error: unknown): boolean {
  const origin = error instanceof StorageError ? error.cause : error
  return /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(origin))
}

/** A constraint or a trigger of the schema refuses the write. */
export function isConstraintBreach(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_CONSTRAINT')
}

/** SQLite itself threw it. */
export function isOfSqlite(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_')
}

/** Another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(codeOf(error))
}

const BUSY = /^SQLITE_(BUSY|LOCKED)/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function kindOf(code: string): StorageErrorCode {
  if (BUSY.test(code)) return 'busy'
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return 'full'
  if (code.startsWith('SQLITE_CORRUPT')) return 'corrupt'
  if (code === 'SQLITE_NOTADB') return 'not_a_database'
  if (/^(SQLITE_(READONLY|PERM|AUTH)|EROFS|EACCES|EPERM)/.test(code)) return 'unwritable'
  if (code.startsWith('SQLITE_CANTOPEN') || code === 'EISDIR' || code === 'ENOTDIR') {
    return 'unopenable'
  }
  if (code === 'ENOENT') return 'missing'
  if (code.startsWith('SQLITE_CONSTRAINT')) return 'rejected'
  if (code.startsWith('SQLITE_IOERR') || /^E[A-Z0-9]+$/.test(code)) return 'io'
  return 'failed'
}
