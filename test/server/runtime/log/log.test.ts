import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../../../src/server/runtime/log/log.ts'
import { StorageError } from '../../../../src/server/storage/interface/storage-error.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'

/** What the log has about an error. */
async function logged(err: unknown): Promise<object> {
  const file = join(temporaryFolder(), 'server.log')
  const before = new Set(process.listeners('exit'))
  const { log } = openLog('info', file)
  onTestFinished(() => {
    for (const added of process.listeners('exit')) {
      if (!before.has(added)) process.removeListener('exit', added)
    }
  })
  log.error({ err }, 'it failed')
  const lines = await eventually(() => {
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/\n$/)
    return text
  })
  return JSON.parse(lines)
}

test('a problem of the storage is logged in a sentence, with its facts', async () => {
  const problem = { code: 'full', file: '/disk/x.db', detail: 'SQLITE_FULL' } as const
  expect(await logged(new StorageError(problem))).toMatchObject({
    msg: 'it failed',
    err: {
      type: 'StorageError',
      message:
        'There is no space left for /disk/x.db (SQLITE_FULL). Free some space and try again.',
      stack: expect.stringContaining('log.test.ts'),
    },
  })
})

test('any other error is logged as it is', async () => {
  const error = new Error('outer', { cause: new Error('inner') })
  expect(await logged(error)).toMatchObject({
    err: { type: 'Error', message: 'outer: inner', stack: expect.stringContaining('inner') },
  })
})
