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
  expect(writeFailure(taken, error)).toMatch(/taken\.csv could not be written: /)
  expect(readdirSync(folder)).toEqual(['taken.csv'])
  expect(readFileSync(join(taken, 'inside'), 'utf8')).toBe('kept')
})

test.each([
  ['ENOSPC', /disk is full/],
  ['EACCES', /permission denied/],
  ['ENOENT', /folder no longer exists/],
  ['EWHATEVER', /odd/],
])('explains %s', (code, words) => {
  const error = Object.assign(new Error('odd'), { code })
  expect(writeFailure('/a/b.csv', error)).toMatch(words)
})
