import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeAtomically, writeFailure } from '../../../src/main/system/write-atomically.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'

test('a text replaces the file, and nothing else is left in the folder', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'log.csv')
  writeFileSync(file, 'a longer text that was there before')
  await writeAtomically(file, 'näher 🚢\r\n')
  expect(readFileSync(file, 'utf8')).toBe('näher 🚢\r\n')
  expect(readdirSync(folder)).toEqual(['log.csv'])
})

test('a failed write keeps the file and leaves no draft', async () => {
  const folder = temporaryFolder()
  const taken = join(folder, 'taken.csv')
  mkdirSync(taken)
  writeFileSync(join(taken, 'inside'), 'kept')
  const error = await writeAtomically(taken, 'text').catch((reason: unknown) => reason)
  expect(writeFailure(taken, error)).toMatchObject({ path: taken, detail: expect.any(String) })
  expect(readdirSync(folder)).toEqual(['taken.csv'])
  expect(readFileSync(join(taken, 'inside'), 'utf8')).toBe('kept')
})

test.each([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['EACCES', 'not_allowed'],
  ['EPERM', 'not_allowed'],
  ['EROFS', 'not_allowed'],
  ['EISDIR', 'is_folder'],
  ['ENOENT', 'folder_missing'],
  ['EBUSY', 'in_use'],
  ['EWHATEVER', 'other'],
])('%s is the reason %s', (code, reason) => {
  const error = Object.assign(new Error('odd'), { code })
  expect(writeFailure('/a/b.csv', error)).toEqual({ path: '/a/b.csv', reason, detail: 'odd' })
})
