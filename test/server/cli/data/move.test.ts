// @module-tag postgresql

import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import {
  type Ended,
  expectRefused,
  refusal,
  startCli,
  startCommand,
} from '../../../support/processes/cli.ts'
import { expectDescribed } from '../../../support/processes/json-schema.ts'
import { smallFolder } from '../../storage/move/moved-folder.ts'

/** The cluster asks for no password, and takes any. */
async function databaseWithPassword(): Promise<string> {
  return (await freshDatabase()).replace('postgres@', 'postgres:s3cret@')
}

async function run(...args: string[]): Promise<Ended> {
  const ended = await startCommand(['move', ...args]).ended
  expect(ended.stdout + ended.stderr).not.toContain('s3cret')
  return ended
}

test('a move says what it did, and what to start now', async () => {
  const folder = smallFolder()
  const url = await databaseWithPassword()
  const { code, stdout, stderr } = await run('--from', folder, '--to', url)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Copied \d+ rows in \d+ tables from \S+ to postgres:\/\/127/)
  expect(stdout).toMatch(/^editor +3$/m)
  expect(stdout).toContain(`${folder} was not changed. Do not start a server on it again.`)
  expect(stdout).toContain('--database')
  expect(stderr).toMatch(/Copied\. Verifying…\n(.*\n)*Verified\.\n$/)
  const back = fileFolder()
  const returned = await run('--from', url, '--to', back, '--json')
  const document = JSON.parse(returned.stdout)
  expectDescribed(['move'], document)
  expect(document).toMatchObject({ to: back, resumed: false, devices: [{ app: 'editor' }] })
  const database = openDatabase(dataFile(back), { readonly: true })
  expect(database.prepare('SELECT count(*) FROM check_ins').pluck().get()).toBe(3)
  database.close()
})

test('what cannot be moved is refused in one line', async () => {
  const folder = smallFolder()
  const url = await databaseWithPassword()
  await run('--from', folder, '--to', url)
  const again = await run('--from', folder, '--to', url)
  expectRefused(again, 3, /--to: .* is not empty/)
  const none = await run('--to', url, '--discard')
  expectRefused(none, 3, 'no unfinished move')
  const wrong = [
    [['--to', url], '--from: name the data folder'],
    [['--from', folder], "required option '--to <place>' not specified"],
    [['--from', folder, '--to', fileFolder()], '--to: must be a postgres:// URL'],
    [['--from', url, '--to', url], '--to: must be a data folder'],
    [['--from', folder, '--to', 'postgres://a:s3cret@db'], '--to'],
    [['--from', folder, '--to', url, '--discard'], '--from cannot be used together'],
  ] as const
  for (const [args, sentence] of wrong) {
    const ended = await run(...args)
    expect([ended.code, refusal(ended)]).toEqual([2, expect.stringContaining(sentence)])
  }
})

test('an interrupted move says how to continue', async () => {
  const folder = smallFolder()
  const database = openDatabase(dataFile(folder))
  const at = Date.parse('2026-03-14T12:00:00Z')
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
    INSERT INTO check_ins (id, device, at, profile, kind) SELECT i, 0, ${at} + i, 1, 1 FROM n;
    UPDATE telemetry_state SET last_check_in = 200000, rows_through = 200000`)
  database.close()
  const url = await databaseWithPassword()
  const started = startCli(['move', '--from', folder, '--to', url])
  started.child.stderr?.once('data', () => started.child.kill('SIGINT'))
  const { code, stderr } = await started.ended
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /error: the move was interrupted; run the same command again to continue\n$/,
  )
  const ended = await run('--from', folder, '--to', url, '--json')
  expect(JSON.parse(ended.stdout)).toMatchObject({ resumed: true })
})
