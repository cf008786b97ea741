import { z } from 'zod'
import { Timestamp } from '../names.ts'

/** What happened to a database file while the server was using it. */
export const FileIssue = z.enum(['missing', 'replaced', 'emptied'])
export type FileIssue = z.infer<typeof FileIssue>

/** A database that is no longer the one that the server opened: nothing is written to it. */
export const DatabaseTrouble = z.strictObject({
  /** Path of the file: the database, its write-ahead log, or the index of that log. */
  file: z.string(),
  issue: FileIssue,
  /** When it was noticed. */
  since: Timestamp,
})
export type DatabaseTrouble = z.infer<typeof DatabaseTrouble>

/**
 * What is wrong with the storage:
 * - `missing`: the folder or the file does not exist
 * - `not_a_database`, `foreign_database`: the file is no SQLite database, or that of another program
 * - `empty`: nothing is stored in the file
 * - `newer_database`: a newer version of this program wrote it
 * - `outdated`: it must be migrated first, and cannot be while the present server runs
 * - `migration_failed`: a migration was undone
 * - `locked`: another process serves or maintains the data folder
 * - `busy`: another connection held the write lock for too long
 * - `full`: no space left
 * - `corrupt`: the file is damaged
 * - `unwritable`, `unopenable`, `io`: the file system refuses
 * - `unreachable`: the database server does not answer, or ended the connection
 * - `unsupported`: it is a matter of the database server's own tools, or the server lacks what is needed
 * - `moving`: a move that fills it has not ended
 * - `rejected`: a constraint of the schema refuses the write
 * - `exists`: the destination already exists, and stays
 * - `replaceable`: the destination is an existing file, which `overwrite` replaces
 * - `in_use`: the destination or the backup is the database itself
 * - `closed`: the store or the transaction has ended
 * - `failed`: anything else
 */
export const StorageErrorCode = z.enum([
  'missing',
  'not_a_database',
  'foreign_database',
  'empty',
  'newer_database',
  'outdated',
  'migration_failed',
  'locked',
  'busy',
  'full',
  'corrupt',
  'unwritable',
  'unopenable',
  'io',
  'unreachable',
  'unsupported',
  'moving',
  'rejected',
  'exists',
  'replaceable',
  'in_use',
  'closed',
  'failed',
])
export type StorageErrorCode = z.infer<typeof StorageErrorCode>

/** Who holds a data folder. The address is null until a server listens, and for maintenance. */
const Holder = z.strictObject({ pid: z.int(), address: z.string().nullable() })
export type Holder = z.infer<typeof Holder>

/** Facts that the code of a problem does not cover. */
export const StorageCircumstance = z.discriminatedUnion('kind', [
  /** `file` is a backup, or the destination of one. */
  z.strictObject({ kind: z.literal('backup') }),
  /** `missing`: it happened while the server had the file open. */
  z.strictObject({ kind: z.literal('changed_in_use'), issue: FileIssue }),
  /** `missing`: the database does not exist, but its write-ahead log does. */
  z.strictObject({ kind: z.literal('orphaned_log'), log: z.string() }),
  /** `locked`: null if the holder of the data folder did not leave its name. */
  z.strictObject({ kind: z.literal('held'), holder: Holder.nullable() }),
  /** `locked`: of the folder of stored files. The address is never known. */
  z.strictObject({ kind: z.literal('files_held'), holder: Holder.nullable() }),
  /** `locked`: other nodes of the database keep their files in another folder or bucket. */
  z.strictObject({ kind: z.literal('files_elsewhere') }),
  /** `locked`: a move copies the database, or fills it. */
  z.strictObject({ kind: z.literal('being_moved') }),
  /** `locked`: a command has the database open. */
  z.strictObject({ kind: z.literal('opened_elsewhere') }),
  /** `busy`: other changes of this server come first. */
  z.strictObject({ kind: z.literal('many_changes') }),
  /** `busy`: another backup is writing the file. */
  z.strictObject({ kind: z.literal('backup_running') }),
  /** `full`: there is less space than a backup takes. */
  z.strictObject({
    kind: z.literal('too_little_space'),
    neededBytes: z.int(),
    freeBytes: z.int(),
  }),
  /** `io`: so many files that releases name are missing in the folder of stored files, or damaged; such as `name`. */
  z.strictObject({ kind: z.literal('stored_files'), count: z.int(), name: z.string() }),
  /** `newer_database`: its schema, and the latest that this program knows. */
  z.strictObject({ kind: z.literal('schema'), found: z.int(), known: z.int() }),
  /** `outdated`: its schema, the one that this program needs, and the server that runs. */
  z.strictObject({
    kind: z.literal('older_server'),
    found: z.int(),
    needed: z.int(),
    holder: Holder.nullable(),
  }),
  /** `corrupt`: 0 bytes if nothing is left. */
  z.strictObject({ kind: z.literal('cut_off'), bytes: z.int(), expectedBytes: z.int() }),
  /** `corrupt`: the copy that was just made; its source is likely to be damaged. */
  z.strictObject({ kind: z.literal('new_copy') }),
  /** `missing`: the folder for a backup. */
  z.strictObject({ kind: z.literal('no_folder') }),
  /** `unopenable`: a file exists in place of the folder. */
  z.strictObject({ kind: z.literal('not_a_folder') }),
  /** `unwritable`: the file system creates no folder there. */
  z.strictObject({ kind: z.literal('no_new_folder') }),
  /** `unwritable`: another file is in its place. */
  z.strictObject({ kind: z.literal('replaced') }),
  /** `unwritable`: the file system does not support a write-ahead log. */
  z.strictObject({ kind: z.literal('no_log') }),
  /** A migration was undone, for the reason that the code gives; `migration` names it. */
  z.strictObject({ kind: z.literal('undone'), migration: z.string() }),
  /** `migration_failed`: another process migrated the database at the same time. */
  z.strictObject({ kind: z.literal('migrated_elsewhere') }),
  /** `file` is a database on a server. */
  z.strictObject({ kind: z.literal('database_server') }),
  /** `unsupported`: the version of PostgreSQL, and the oldest that is supported. */
  z.strictObject({ kind: z.literal('server_version'), found: z.string(), needed: z.int() }),
  /** `unsupported`: the database has another encoding than UTF-8. */
  z.strictObject({ kind: z.literal('encoding'), found: z.string() }),
  /** `foreign_database`: the database has tables, and they are not of this program. */
  z.strictObject({ kind: z.literal('other_tables'), schema: z.string() }),
  /** `outdated`: so many nodes run that do not know the schema that is needed. */
  z.strictObject({ kind: z.literal('older_nodes'), nodes: z.int() }),
])
export type StorageCircumstance = z.infer<typeof StorageCircumstance>

/**
 * A failure of the storage. Sentences are made of it where they are shown: see
 * `wording/storage-problem.ts`.
 */
export const StorageProblem = z.strictObject({
  code: StorageErrorCode,
  /** The file or folder that it is about. */
  file: z.string(),
  /** What the database, the operating system or a part of the storage reported; null if that is all known. */
  detail: z.string().nullable(),
  circumstance: StorageCircumstance.exactOptional(),
})
export type StorageProblem = z.infer<typeof StorageProblem>
