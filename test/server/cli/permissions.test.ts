import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { refusal, startCli } from '../../support/processes/cli.ts'

const NOBODY = 65_534
const own = process.getuid?.()
/** For the superuser every file is open, so the commands run as another account. */
const uid = own === 0 ? NOBODY : own

/** Whether that account can run the command line at all: the sources may lie in a private folder. */
const canRun =
  uid !== undefined &&
  spawnSync(process.execPath, ['-e', `process.chdir(${JSON.stringify(import.meta.dirname)})`], {
    uid,
  }).status === 0

/** A data folder of that account with a database. */
function dataFolder(): string {
  const folder = fileFolder()
  prepareDatabase(folder, { lockHeld: false })
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    if (own === 0) chownSync(path, NOBODY, NOBODY)
  }
  return folder
}

const ended = (...args: string[]) => startCli(args, {}, uid === undefined ? {} : { uid }).ended

test
  .runIf(canRun)
  .concurrent(
    'a data folder that may not be looked into is not one without a database',
    async () => {
      const folder = dataFolder()
      const inside = join(folder, 'data')
      chmodSync(folder, 0o000)
      for (const command of [['app', 'list'], ['doctor'], ['serve', '--port', '0']]) {
        const refused = await ended(...command, '--data', inside)
        expect(refused).toMatchObject({ code: 1, stdout: '' })
        expect(refusal(refused)).toMatch(/^error: Permission denied for .*Give this account/)
      }
      chmodSync(folder, 0o700)
    },
  )

test.concurrent('a server does not start on what it may only read', { tags: ['root'] }, async ({
  skip,
}) => {
  // Of its own files, a server gets the rights that it needs.
  skip(own !== 0, 'Files of another account are made, which takes root')
  skip(!canRun, 'Another account cannot read the sources')
  const folder = dataFolder()
  const file = join(folder, 'tidegate.db')
  chownSync(file, 0, 0)
  chmodSync(file, 0o444)
  const readonlyFile = await ended('serve', '--port', '0', '--data', folder)
  expect(readonlyFile).toMatchObject({ code: 1, stdout: '' })
  expect(refusal(readonlyFile)).toContain(`Permission denied for ${file}`)

  const other = dataFolder()
  chownSync(other, 0, 0)
  chmodSync(other, 0o555)
  const readonlyFolder = await ended('serve', '--port', '0', '--data', other)
  expect(readonlyFolder).toMatchObject({ code: 1, stdout: '' })
  expect(refusal(readonlyFolder)).toContain(`Permission denied for ${other}`)
  chmodSync(other, 0o700)
})

test
  .runIf(process.platform === 'linux')
  .concurrent('a folder that no file system can hold is refused at once', async () => {
    const refused = await startCli(['serve', '--port', '0', '--data', '/proc/foo']).ended
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refusal(refused)).toContain('/proc/foo cannot be created')
  })
