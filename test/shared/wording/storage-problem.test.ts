import { expect, test } from 'vitest'
import type { StorageErrorCode } from '../../../src/shared/storage-problem.ts'
import { storageProblemSentence } from '../../../src/shared/wording/storage-problem.ts'

const FILE = '/copies/a.db'

test.each<[StorageErrorCode, string | null, string]>([
  ['not_a_database', null, '/copies/a.db is not a database. Choose another backup.'],
  ['foreign_database', null, '/copies/a.db is not a backup of Tidegate. Choose another one.'],
  ['empty', null, '/copies/a.db is not a backup of Tidegate. Choose another one.'],
  [
    'newer_database',
    null,
    '/copies/a.db was made by a newer version of Tidegate. Install that version, or choose an older backup.',
  ],
  ['corrupt', null, '/copies/a.db is damaged. Choose another backup.'],
  ['corrupt', 'row 7', '/copies/a.db is damaged (row 7). Choose another backup.'],
  [
    'full',
    'it takes 2 MB',
    'There is no space left for /copies/a.db (it takes 2 MB). Free some space, or choose a folder on another disk.',
  ],
])('%s with %j reads: %s', (code, detail, sentence) => {
  expect(storageProblemSentence({ code, file: FILE, detail })).toBe(sentence)
})
