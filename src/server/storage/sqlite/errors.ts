import type { StorageErrorCode, StorageProblem } from '../../../shared/storage-problem.ts'

/** Temporary causes: the same request can succeed later. */
const TEMPORARY: ReadonlySet<StorageErrorCode> = new Set([
  'missing',
  'busy',
  'full',
  'unwritable',
  'unopenable',
  'io',
])

interface StorageErrorOptions extends ErrorOptions {
  readonly detail?: string | null | undefined
}

/** A failure of the storage. The message says what happened and how to fix it. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode

  /** Whether the same request can succeed later. */
  get isTemporary(): boolean {
    return TEMPORARY.has(this.code)
  }

  /** What SQLite or the operating system reported, as far as it says more than the code. */
  readonly detail: string | null

  constructor(code: StorageErrorCode, message: string, options: StorageErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.detail = options.detail ?? null
  }
}

/** Puts whatever SQLite or the file system threw about `file` into words. */
export function storageError(error: unknown, file: string): StorageError {
  if (error instanceof StorageError) return error
  const code = codeOf(error)
  const detail = error instanceof Error ? error.message : String(error)
  const [kind, sentence] = describe(code, file, detail)
  return new StorageError(kind, sentence, { cause: error, detail })
}

/** Returns the facts of whatever was thrown about `file`, to be worded where they are shown. */
export function storageProblem(error: unknown, file: string): StorageProblem {
  const { code, detail } = storageError(error, file)
  return { code, file, detail }
}

/** Runs `work`; what it throws about `file` becomes a `StorageError`. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storageError(error, file)
  }
}

/** The write would make two of what there may be one of. */
export function isUniqueBreach(error: unknown): boolean {
  return /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(error))
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

function describe(code: string, file: string, detail: string): [StorageErrorCode, string] {
  if (BUSY.test(code)) {
    return ['busy', `${file} is locked by another process. Try again, or stop that process.`]
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return ['full', `There is no space left for ${file}. Free some space and try again.`]
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    const fix = 'Stop the server, keep a copy of the data folder and restore a backup.'
    return ['corrupt', `${file} is damaged (${detail}). ${fix}`]
  }
  if (code === 'SQLITE_NOTADB') return ['not_a_database', notADatabase(file)]
  if (/^(SQLITE_READONLY|EROFS)/.test(code)) {
    const fix = 'Let this account write to the file and its folder.'
    return ['unwritable', `${file} is read-only (${detail}). ${fix}`]
  }
  if (/^(SQLITE_(PERM|AUTH)|EACCES|EPERM)/.test(code)) {
    const fix = 'Let this account read and write the file and its folder.'
    return ['unwritable', `Permission denied for ${file} (${detail}). ${fix}`]
  }
  if (code.startsWith('SQLITE_CANTOPEN') || code === 'EISDIR' || code === 'ENOTDIR') {
    const fix = 'Check that it is a file, and that this account may read and write it.'
    return ['unopenable', `${file} cannot be opened (${detail}). ${fix}`]
  }
  if (code === 'ENOENT') return ['missing', `${file} does not exist (${detail}). Check the path.`]
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    return ['rejected', `The database refuses the change: ${detail}`]
  }
  if (code.startsWith('SQLITE_IOERR') || /^E[A-Z0-9]+$/.test(code)) {
    return ['io', `${file} cannot be read or written (${detail}). Check the disk that holds it.`]
  }
  return ['failed', `An operation on ${file} failed: ${detail}`]
}

export function notADatabase(file: string): string {
  return `${file} is not a SQLite database. Choose another file, or another folder with --data.`
}
