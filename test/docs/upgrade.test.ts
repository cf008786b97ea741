import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemaVersion } from '../../src/server/storage/sqlite/migrations/index.ts'
import { writeFixture } from '../server/storage/upgrade/fixture.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { PageCode } from '../support/docs/page.ts'
import { homeIn, runShell } from '../support/docs/run.ts'

const code = new PageCode('docs/upgrade.md')
const check = code.takeOne('Check first', 'sh')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('an upgrade is checked, and then made without the server', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'tidegate')
  mkdirSync(data)
  writeFixture(1, data)
  const environment = homeIn(folder)
  expect(await runShell(check, environment)).toContain('Ready to upgrade.')
  expect(readdirSync(data)).toEqual(['tidegate.db'])
  await runShell(check.replace(' --check', ''), environment)
  expect(readdirSync(data)).toContain(`tidegate.db.before-${schemaVersion()}`)
  expect(await runShell(check, environment)).toContain('up to date')
})
