import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { callerOf, failureOf } from '../../../support/servers/console.ts'
import { startServer } from '../../../support/servers/server.ts'

test('a copy is made and listed, checked, and missed when it is gone', async () => {
  const console = callerOf(await startServer())
  expect(await console.backups.status()).toMatchObject({ everyHours: 0, keep: 7, copies: [] })
  const { name, file } = await console.backups.now()
  expect(await console.backups.check({ name })).toMatchObject({ name, problem: null })
  expect((await console.backups.status()).copies).toHaveLength(1)
  rmSync(file)
  expect(await failureOf(console.backups.check({ name }))).toMatchObject({ code: 'unknown' })
  expect(await failureOf(console.backups.check({ name: '../tidegate.db' }))).toMatchObject({
    code: 'unknown',
  })
})

test('an unwritable folder is explained', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const folder = join(file, 'backups')
  const console = callerOf(await startServer({ backups: { folder } }))
  expect(await failureOf(console.backups.now())).toEqual({
    code: 'invariant',
    message: expect.stringContaining(`${file} is not a folder`),
  })
  expect((await console.backups.status()).lastFailure?.problem).toMatchObject({ file })
})
