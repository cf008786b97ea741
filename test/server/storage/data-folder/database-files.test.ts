import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseFiles } from '../../../../src/server/storage/data-folder/database-files.ts'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import type { DatabaseTrouble } from '../../../../src/shared/operation/storage-problem.ts'
import { preparedFolder } from '../../../support/builders/folders.ts'
import { sentenceOf, storageFailure } from '../../../support/servers/database.ts'

/** An open database with a log, and its files watched. */
async function opened() {
  const file = dataFile(preparedFolder())
  const database = openDatabase(file)
  database.exec('CREATE TABLE x (id INTEGER)')
  onTestFinished(() => void database.close())
  const files = new DatabaseFiles(file)
  await files.remember()
  onTestFinished(() => files.stop())
  return { file, files }
}

test.each([
  ['missing', '', (path: string) => rmSync(path)],
  ['missing', '-wal', (path: string) => rmSync(path)],
  ['missing', '-shm', (path: string) => rmSync(path)],
  ['replaced', '', replaceByCopy],
  ['replaced', '-wal', replaceByCopy],
  ['emptied', '', (path: string) => truncateSync(path)],
] as const)('a file that is %s is noticed: tidegate.db%s', async (issue, suffix, change) => {
  const { file, files } = await opened()
  await files.check()
  change(file + suffix)
  const failure = await storageFailure('missing', () => files.check())
  expect(sentenceOf(failure)).toContain(file + suffix)
  expect(files.trouble).toMatchObject({ file: file + suffix, issue })
})

test('a folder that was moved is noticed by itself, and is right again once it is back', async () => {
  const { file, files } = await opened()
  const folder = file.replace('/tidegate.db', '')
  const reported: (DatabaseTrouble | null)[] = []
  const nextReport = () => new Promise<void>((resolve) => waiting.push(resolve))
  const waiting: (() => void)[] = []
  files.watch((trouble) => {
    reported.push(trouble)
    waiting.shift()?.()
  })
  let change = nextReport()
  renameSync(folder, `${folder}-elsewhere`)
  await change
  change = nextReport()
  renameSync(`${folder}-elsewhere`, folder)
  await change
  expect(reported).toEqual([expect.objectContaining({ file, issue: 'missing' }), null])
  await files.check()
})

test('a log that was truncated is expected', async () => {
  const { file, files } = await opened()
  const other = openDatabase(file)
  other.pragma('wal_checkpoint(TRUNCATE)')
  other.close()
  await files.check()
  expect(files.trouble).toBeNull()
})

function replaceByCopy(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}
