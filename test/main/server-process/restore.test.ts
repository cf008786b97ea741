// @module-tag long

import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Supervisor } from '../../../src/main/server-process/supervisor.ts'
import { callServer } from '../../../src/main/settings/backup-service.ts'
import { ConsoleError } from '../../../src/renderer/bridge/error.ts'
import type { MessagePortMain } from '../../electron-double/message-port.ts'
import { forkServer } from '../../support/processes/server-process.ts'

let root: string
let folder: string
let supervisor: Supervisor<MessagePortMain>

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tidegate-restore-'))
  folder = join(root, 'data')
  supervisor = new Supervisor({
    fork: () => forkServer(),
    config: () => ({ dataFolder: folder, host: '127.0.0.1', port: 0 }),
    onState() {},
    onTrouble() {},
  })
  await supervisor.start()
  await createApp('old')
})
afterEach(async () => {
  await supervisor.stop()
  rmSync(root, { recursive: true })
})

async function call(type: 'query' | 'mutation', path: string, input?: unknown) {
  const result = await callServer(await supervisor.connect(), { type, path, input })
  if (!result.ok) throw ConsoleError.of(result.error)
  return result.data
}

const createApp = (ref: string) => call('mutation', 'apps.create', { ref, name: ref })

async function refs(): Promise<unknown> {
  return (await call('query', 'apps.list')) as unknown
}

async function backUp(): Promise<string> {
  const copy = await call('mutation', 'backups.now')
  return typeof copy === 'object' && copy !== null && 'file' in copy ? String(copy.file) : ''
}

test('a restore brings the data back, keeps the replaced database, and restarts the server', async () => {
  const file = await backUp()
  await createApp('new')
  expect(await supervisor.inspect(file)).toMatchObject({
    ok: true,
    copy: { counts: { apps: 1, releases: 0, devices: 0 } },
    present: { apps: 2 },
    lost: { count: 0, newest: [] },
  })
  const outcome = await supervisor.restore(file)
  expect(outcome).toMatchObject({ ok: true, aside: expect.stringContaining('before-restore') })
  expect(await refs()).toMatchObject([{ ref: 'old' }])
  const replaced = new Database(outcome.ok ? String(outcome.aside) : '', { readonly: true })
  expect(replaced.prepare('SELECT ref FROM apps ORDER BY key').pluck().all()).toEqual([
    'old',
    'new',
  ])
  replaced.close()
})

// All that can be wrong with a backup is in test/server/storage/sqlite/backup/restore.test.ts.
test.each([
  ['a backup that is cut off', (file: string) => truncateSync(file, 20_000), 'corrupt'],
  [
    'a newer schema',
    (file: string) => change(file, 'PRAGMA user_version = 9999'),
    'newer_database',
  ],
])('%s is refused, the data stays, and the server runs again', async (_, damage, code) => {
  const file = await backUp()
  await createApp('new')
  damage(file)
  expect(await supervisor.inspect(file)).toEqual({
    ok: false,
    problem: expect.objectContaining({ code, file }),
  })
  expect(await supervisor.restore(file)).toEqual({
    ok: false,
    problem: expect.objectContaining({ code, file }),
  })
  expect(await refs()).toHaveLength(2)
  expect(readdirSync(folder).filter((name) => /restor/.test(name))).toEqual([])
})

test('a damaged database is replaced while its server cannot start', async () => {
  const file = await backUp()
  await supervisor.stop()
  for (const name of readdirSync(folder)) {
    if (name.startsWith('tidegate.db')) rmSync(join(folder, name))
  }
  writeFileSync(join(folder, 'tidegate.db'), 'x'.repeat(9_000))
  await supervisor.start()
  expect(await supervisor.connect()).toBeUndefined()
  expect(supervisor.state).toMatchObject({ state: 'failed' })
  expect(await supervisor.inspect(file)).toMatchObject({ ok: true, present: null })
  expect(await supervisor.restore(file)).toMatchObject({ ok: true })
  expect(await refs()).toMatchObject([{ ref: 'old' }])
})

test('a killed restore leaves a valid database', async () => {
  const file = await backUp()
  await createApp('new')
  const restoring = supervisor.restore(file)
  const stopping = supervisor.stop()
  await restoring
  await stopping
  await supervisor.start()
  const found = await refs()
  expect([1, 2]).toContain(Array.isArray(found) ? found.length : 0)
})

function change(file: string, sql: string): void {
  const database = new Database(file)
  database.exec(sql)
  database.close()
}
