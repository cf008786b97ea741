import { expect, test } from 'vitest'
import {
  StorageCircumstance,
  StorageErrorCode,
} from '../../../../src/shared/operation/storage-problem.ts'
import {
  backupProblemSentence,
  storageProblemSentence,
} from '../../../../src/shared/wording/operation/storage-problem.ts'

const FILE = '/data/a.db'
const LOCKED = `${FILE} is locked by another process (odd). Try again, or stop that process.`
const FAILED = `An operation on ${FILE} failed (odd). Try again.`
const UNWRITABLE = `Permission denied for ${FILE} (odd). Give this account read and write access to the file and its folder.`
const UNOPENABLE = `${FILE} cannot be opened (odd). Check that the file exists and that this account can read and write it.`
const UNREACHABLE = `The database ${FILE} cannot be reached (odd). Check that it is running and that this computer may connect to it.`
const UNSUPPORTED = `The database ${FILE} is backed up and restored with the tools of PostgreSQL, such as pg_dump.`
const IO = `${FILE} cannot be read or written (odd). Check the disk that holds it.`

/** What each code says about the database, and about a backup. */
const BY_CODE: Readonly<Record<StorageErrorCode, readonly [string, string]>> = {
  missing: [
    `The database ${FILE} does not exist. Check the path, or start the server to create it.`,
    `The backup ${FILE} does not exist. Check the path.`,
  ],
  not_a_database: [
    `${FILE} is not a SQLite database. Nothing was changed. Move it elsewhere, or choose another file.`,
    `${FILE} is not a database. Choose another backup.`,
  ],
  foreign_database: [
    `${FILE} belongs to another program. Nothing was changed. Move it elsewhere, or choose another file.`,
    `${FILE} is not a backup of Tidegate. Choose another one.`,
  ],
  empty: [
    `${FILE} is empty. Restore a backup, or start the server to create a database.`,
    `${FILE} is not a backup of Tidegate. Choose another one.`,
  ],
  newer_database: [
    `${FILE} was written by a newer version of Tidegate. Nothing was changed. Install that version, or restore an older backup.`,
    `${FILE} was created by a newer version of Tidegate. Install that version, or choose an older backup.`,
  ],
  outdated: [FAILED, FAILED],
  migration_failed: [FAILED, FAILED],
  locked: [LOCKED, LOCKED],
  busy: [LOCKED, LOCKED],
  full: [
    `There is no space left for ${FILE} (odd). Free some space and try again.`,
    `There is no space left for ${FILE} (odd). Free some space, or choose a folder on another disk.`,
  ],
  corrupt: [
    `${FILE} is damaged (odd). Stop the server, keep a copy of the data folder and restore a backup.`,
    `${FILE} is damaged (odd). Choose another backup.`,
  ],
  unwritable: [UNWRITABLE, UNWRITABLE],
  unopenable: [UNOPENABLE, UNOPENABLE],
  io: [IO, IO],
  unreachable: [UNREACHABLE, UNREACHABLE],
  unsupported: [UNSUPPORTED, UNSUPPORTED],
  rejected: [FAILED, FAILED],
  exists: [`${FILE} already exists. Choose another file.`, `${FILE} already exists. Try again.`],
  replaceable: [
    `${FILE} already exists. Choose another file.`,
    `${FILE} already exists. Try again.`,
  ],
  in_use: [
    `${FILE} is the database itself. Choose another file.`,
    `${FILE} is the current database. Choose a backup.`,
  ],
  moving: [
    `${FILE} is the target of a move that has not finished. Run the same move again to continue it, or "tidegate move --to … --discard" to remove what was copied.`,
    `${FILE} is the target of a move that has not finished. Run the same move again to continue it, or "tidegate move --to … --discard" to remove what was copied.`,
  ],
  closed: [FAILED, FAILED],
  failed: [FAILED, FAILED],
}

/** A code that comes with each circumstance, its other facts, and what it says. */
const BY_CIRCUMSTANCE: Readonly<
  Record<StorageCircumstance['kind'], readonly [StorageErrorCode, object, string]>
> = {
  backup: ['missing', {}, `The backup ${FILE} does not exist. Check the path.`],
  no_folder: [
    'missing',
    {},
    `The folder ${FILE} does not exist. Create it, or choose another one.`,
  ],
  changed_in_use: [
    'missing',
    { issue: 'emptied' },
    `${FILE} was emptied while the server was running. Changes cannot be saved. Put the file back, or stop the server and restore a backup.`,
  ],
  orphaned_log: [
    'missing',
    { log: '/data/a.db-wal' },
    `${FILE} does not exist, but its log /data/a.db-wal does. Restore a backup, or move the log elsewhere to start with an empty database.`,
  ],
  held: [
    'locked',
    { holder: { pid: 7, address: 'http://[::1]:80' } },
    `The data folder ${FILE} is in use by the server at http://[::1]:80 (process 7). Stop it and try again.`,
  ],
  being_moved: [
    'locked',
    {},
    `The database ${FILE} is being moved. Wait for the move to finish, or stop it.`,
  ],
  files_held: [
    'locked',
    { holder: { pid: 7, address: null } },
    `The folder ${FILE} for stored files is in use by process 7. Choose another folder, or stop that process.`,
  ],
  files_elsewhere: [
    'locked',
    {},
    `Other nodes of the database do not store their files in ${FILE}. Start this one with the same folder or bucket, or stop all other nodes and wait a minute.`,
  ],
  opened_elsewhere: [
    'locked',
    {},
    `Another process has ${FILE} open. Nothing was changed. Wait for it to finish, or stop it.`,
  ],
  many_changes: ['busy', {}, 'Other changes are still being written. Try again in a few seconds.'],
  backup_running: ['busy', {}, `Another backup is writing ${FILE}. Wait for it to finish.`],
  too_little_space: [
    'full',
    { neededBytes: 2_500_000, freeBytes: 1_000_000 },
    `There is not enough space for a backup in ${FILE}: 2.5 MB needed, 1.0 MB free. Free some space, or choose a folder on another disk.`,
  ],
  stored_files: [
    'io',
    { count: 2, name: 'Editor.exe' },
    `2 stored files are missing or damaged in ${FILE}, such as Editor.exe. Everything else was backed up. Upload them again.`,
  ],
  schema: [
    'newer_database',
    { found: 9, known: 7 },
    `${FILE} was written by a newer version of Tidegate (schema 9; this version supports up to 7). Nothing was changed. Install that version, or restore an older backup.`,
  ],
  older_server: [
    'outdated',
    { found: 5, needed: 7, holder: { pid: 7, address: null } },
    `${FILE} has schema 5, and this version needs 7. It is in use by an older version: process 7 (a server that is starting, or a maintenance command). Restart it with this version and try again.`,
  ],
  cut_off: [
    'corrupt',
    { bytes: 10, expectedBytes: 4_096 },
    `${FILE} is damaged: it ends after 10 of 4096 bytes. Nothing was changed. Restore a backup.`,
  ],
  new_copy: [
    'corrupt',
    {},
    `The copy ${FILE} is damaged (odd). Run the doctor command on the data folder, or use another backup.`,
  ],
  database_server: [
    'unopenable',
    {},
    `The database ${FILE} cannot be opened (odd). Check its name, and the user and the password in its address.`,
  ],
  server_version: [
    'unsupported',
    { found: '14.2', needed: 15 },
    `${FILE} is on PostgreSQL 14.2, and Tidegate needs version 15 or later. Nothing was changed. Upgrade PostgreSQL, or choose another server.`,
  ],
  encoding: [
    'unsupported',
    { found: 'LATIN1' },
    `The database ${FILE} has the encoding LATIN1, and Tidegate needs UTF8. Nothing was changed. Create a database with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
  ],
  other_tables: [
    'foreign_database',
    { schema: 'public' },
    `The schema public of ${FILE} has tables of another program. Nothing was changed. Create a database for Tidegate alone.`,
  ],
  older_nodes: [
    'outdated',
    { nodes: 2 },
    `2 nodes of an older version are running on ${FILE} and could not go on. Nothing was changed. Stop them, then start this version.`,
  ],
  not_a_folder: ['unopenable', {}, `${FILE} is not a folder. Choose another one.`],
  no_new_folder: [
    'unwritable',
    {},
    `${FILE} cannot be created because its file system does not allow it. Choose another folder.`,
  ],
  replaced: [
    'unwritable',
    {},
    `${FILE} was replaced by another file. Restart the server to use it.`,
  ],
  no_log: [
    'unwritable',
    {},
    `The file system of ${FILE} does not support a write-ahead log. Move the data folder to a local disk.`,
  ],
  undone: [
    'migration_failed',
    { migration: '8 (labels)' },
    `Migration 8 (labels) of ${FILE} was undone: odd. The database is unchanged.`,
  ],
  migrated_elsewhere: [
    'migration_failed',
    {},
    `${FILE} was upgraded by another process at the same time. Start again.`,
  ],
}

const problem = (code: StorageErrorCode, kind?: string, facts: object = {}) => ({
  ...{ code, file: FILE, detail: 'odd' },
  ...(kind === undefined ? {} : { circumstance: StorageCircumstance.parse({ kind, ...facts }) }),
})

test.each(StorageErrorCode.options)('%s of the database, and of a backup', (code) => {
  const [ofDatabase, ofBackup] = BY_CODE[code]
  expect(storageProblemSentence(problem(code))).toBe(ofDatabase)
  expect(backupProblemSentence(problem(code))).toBe(ofBackup)
})

test.each(Object.entries(BY_CIRCUMSTANCE))('%s', (kind, [code, facts, sentence]) => {
  expect(storageProblemSentence(problem(code, kind, facts))).toBe(sentence)
})

test('a file of 0 bytes, and a holder without a name', () => {
  const blank = problem('corrupt', 'cut_off', { bytes: 0, expectedBytes: 100 })
  expect(storageProblemSentence(blank)).toBe(
    `${FILE} is empty (0 bytes). Nothing was changed. Restore a backup, or delete the file to start with an empty database.`,
  )
  expect(storageProblemSentence(problem('locked', 'held', { holder: null }))).toBe(
    `The data folder ${FILE} is in use by another process. Stop it and try again.`,
  )
})

test('a migration that a full disk undid gives that as the reason', () => {
  expect(storageProblemSentence(problem('full', 'undone', { migration: 'to schema 9' }))).toBe(
    `Migration to schema 9 of ${FILE} was undone: There is no space left for ${FILE} (odd). Free some space and try again. The database is unchanged.`,
  )
})

test('a backup without a detail, and one for which there is too little space', () => {
  expect(backupProblemSentence({ code: 'corrupt', file: FILE, detail: null })).toBe(
    `${FILE} is damaged. Choose another backup.`,
  )
  const space = problem('full', 'too_little_space', { neededBytes: 2, freeBytes: 1 })
  expect(backupProblemSentence(space)).toBe(storageProblemSentence(space))
})
