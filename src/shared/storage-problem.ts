import { z } from 'zod'

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
  'rejected',
  'exists',
  'replaceable',
  'in_use',
  'closed',
  'failed',
])
export type StorageErrorCode = z.infer<typeof StorageErrorCode>

/** A failure of the storage as it crosses to the page. */
export const StorageProblem = z.strictObject({
  code: StorageErrorCode,
  /** The file or folder that it is about. */
  file: z.string(),
  /** What SQLite or the operating system reported; null where that is all known. */
  detail: z.string().nullable(),
})
export type StorageProblem = z.infer<typeof StorageProblem>
