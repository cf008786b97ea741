import { expect, test } from 'vitest'
import {
  StorageCircumstance,
  StorageErrorCode,
  type StorageProblem,
} from '../../../../src/shared/operation/storage-problem.ts'
import {
  backupProblemSentence,
  storageProblemSentence,
} from '../../../../src/shared/wording/operation/storage-problem.ts'

const FILE = '/data/a.db'

const problem = (code: StorageErrorCode, kind?: string, facts: object = {}): StorageProblem => ({
  ...{ code, file: FILE, detail: 'odd' },
  ...(kind === undefined ? {} : { circumstance: StorageCircumstance.parse({ kind, ...facts }) }),
})

test.each(StorageErrorCode.options)(
  '%s of the database, and of a backup, is a sentence',
  (code) => {
    for (const sentence of [storageProblemSentence, backupProblemSentence]) {
      expect(sentence(problem(code))).toMatch(/^[A-Z/][^{}]+\.$/)
      expect(sentence(problem(code))).toContain(FILE)
      expect(sentence(problem(code))).not.toMatch(/undefined|null|\[object/)
    }
  },
)

const HOLDER = { pid: 7, address: null }

test.each<[StorageErrorCode, kind: string, facts: object, string]>([
  ['missing', 'backup', {}, `The backup ${FILE} does not exist. Check the path.`],
  [
    ...(['missing', 'changed_in_use', { issue: 'emptied' }] as const),
    `${FILE} was emptied while the server was running. Changes cannot be saved. Put the file back, or stop the server and restore a backup.`,
  ],
  [
    ...(['missing', 'orphaned_log', { log: '/data/a.db-wal' }] as const),
    `${FILE} does not exist, but its log /data/a.db-wal does. Restore a backup, or move the log elsewhere to start with an empty database.`,
  ],
  [
    ...(['locked', 'held', { holder: { pid: 7, address: 'http://[::1]:80' } }] as const),
    `The data folder ${FILE} is in use by the server at http://[::1]:80 (process 7). Stop it and try again.`,
  ],
  [
    ...(['locked', 'held', { holder: null }] as const),
    `The data folder ${FILE} is in use by another process. Stop it and try again.`,
  ],
  [
    ...(['locked', 'files_held', { holder: HOLDER }] as const),
    `The folder ${FILE} for stored files is in use by process 7. Choose another folder, or stop that process.`,
  ],
  [
    ...(['full', 'too_little_space', { neededBytes: 2_500_000, freeBytes: 1_000_000 }] as const),
    `There is not enough space for a backup in ${FILE}: 2.5 MB needed, 1.0 MB free. Free some space, or choose a folder on another disk.`,
  ],
  [
    ...(['io', 'stored_files', { count: 2, name: 'Editor.exe' }] as const),
    `2 stored files are missing or damaged in ${FILE}, such as Editor.exe. Everything else was backed up. Upload them again.`,
  ],
  [
    ...(['newer_database', 'schema', { found: 9, known: 7 }] as const),
    `${FILE} was written by a newer version of Tidegate (schema 9; this version supports up to 7). Nothing was changed. Install that version, or restore an older backup.`,
  ],
  [
    ...(['outdated', 'older_server', { found: 5, needed: 7, holder: HOLDER }] as const),
    `${FILE} has schema 5, and this version needs 7. It is in use by an older version: process 7 (a server that is starting, or a maintenance command). Restart it with this version and try again.`,
  ],
  [
    ...(['outdated', 'older_nodes', { nodes: 2 }] as const),
    `2 nodes of an older version are running on ${FILE} and could not go on. Nothing was changed. Stop them, then start this version.`,
  ],
  [
    ...(['corrupt', 'cut_off', { bytes: 10, expectedBytes: 4_096 }] as const),
    `${FILE} is damaged: it ends after 10 of 4096 bytes. Nothing was changed. Restore a backup.`,
  ],
  [
    ...(['corrupt', 'cut_off', { bytes: 0, expectedBytes: 100 }] as const),
    `${FILE} is empty (0 bytes). Nothing was changed. Restore a backup, or delete the file to start with an empty database.`,
  ],
  [
    ...(['unsupported', 'server_version', { found: '14.2', needed: 15 }] as const),
    `${FILE} is on PostgreSQL 14.2, and Tidegate needs version 15 or later. Nothing was changed. Upgrade PostgreSQL, or choose another server.`,
  ],
  [
    ...(['migration_failed', 'undone', { migration: '8 (labels)' }] as const),
    `Migration 8 (labels) of ${FILE} was undone: odd. The database is unchanged.`,
  ],
  [
    ...(['full', 'undone', { migration: 'to schema 9' }] as const),
    `Migration to schema 9 of ${FILE} was undone: There is no space left for ${FILE} (odd). Free some space and try again. The database is unchanged.`,
  ],
])('%s, %s, %j', (code, kind, facts, sentence) => {
  expect(storageProblemSentence(problem(code, kind, facts))).toBe(sentence)
})

test('a backup without a detail, and one for which there is too little space', () => {
  expect(backupProblemSentence({ code: 'corrupt', file: FILE, detail: null })).toBe(
    `${FILE} is damaged. Choose another backup.`,
  )
  const space = problem('full', 'too_little_space', { neededBytes: 2, freeBytes: 1 })
  expect(backupProblemSentence(space)).toBe(storageProblemSentence(space))
})
