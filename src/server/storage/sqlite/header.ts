import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { guarded } from '../data-folder/errors.ts'
import { isThere } from '../data-folder/folder.ts'
import { StorageError } from '../interface/storage-error.ts'
import { type Connection, withPlainConnection } from './database.ts'
import { MIGRATIONS, type Migration, schemaVersion } from './migrations/index.ts'

/** "TIDE": the mark of this program in the header of its databases. */
export const APPLICATION_ID = 0x54494445

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

interface Header {
  readonly applicationId: number
  readonly userVersion: number
}

/**
 * Returns the version of the schema in a database file, 0 if the file is missing or has no tables. Changes
 * neither the file nor its log. Throws `StorageError` if the file is not a database
 * of this program, is damaged, or is newer than `migrations`.
 */
export function storedVersion(file: string, migrations: readonly Migration[] = MIGRATIONS): number {
  const header = guarded(file, () => readHeader(file))
  if (header === undefined) return 0
  const { applicationId, userVersion } = header
  if (userVersion === 0 && applicationId === 0 && withPlainConnection(file, RW, isBlank)) return 0
  if (applicationId !== APPLICATION_ID || userVersion < 1) {
    throw new StorageError({ code: 'foreign_database', file })
  }
  const known = schemaVersion(migrations)
  if (userVersion > known) {
    const circumstance = { kind: 'schema', found: userVersion, known } as const
    throw new StorageError({ code: 'newer_database', file, circumstance })
  }
  return userVersion
}

// Not read-only, so that SQLite can undo a change that a crash cut short. It writes nothing else.
const RW = { readonly: false }

function isBlank(database: Connection): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
}

/**
 * Without a log, the file is complete, and no connection has it open. That matters twice: opening it here
 * with SQLite would leave files behind, and closing a file drops
 * every lock that this process holds on it. With a log the header may be in the log.
 */
function readHeader(file: string): Header | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  // A database has at least one page: an empty file has lost its content.
  if (stat.size === 0) throw cutOff(file, 0, HEADER_BYTES)
  if (!isThere(`${file}-wal`)) return readHeaderBytes(file)
  return withPlainConnection(file, { readonly: true }, (database) => ({
    applicationId: Number(database.pragma('application_id', { simple: true })),
    userVersion: Number(database.pragma('user_version', { simple: true })),
  }))
}

function readHeaderBytes(file: string): Header | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    const read = readSync(descriptor, bytes, 0, HEADER_BYTES, 0)
    if (read < HEADER_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) {
      throw new StorageError({ code: 'not_a_database', file })
    }
    refuseTruncated(file, bytes, fstatSync(descriptor).size)
    return { userVersion: bytes.readInt32BE(60), applicationId: bytes.readInt32BE(68) }
  } finally {
    closeSync(descriptor)
  }
}

function refuseTruncated(file: string, header: Buffer, size: number): void {
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expected = pageSize * header.readUInt32BE(28)
  if (size < expected) throw cutOff(file, size, expected)
}

function cutOff(file: string, bytes: number, expectedBytes: number): StorageError {
  const circumstance = { kind: 'cut_off', bytes, expectedBytes } as const
  return new StorageError({ code: 'corrupt', file, circumstance })
}
