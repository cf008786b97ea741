import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectBackup } from '../../src/server/host/restore-task.ts'
import { backupDatabase } from '../../src/server/storage/backup.ts'
import { dataFile, openDatabase } from '../../src/server/storage/database.ts'
import { restoreDatabase } from '../../src/server/storage/restore.ts'
import { artifact, auditOf, check, publish, serve, shown } from '../support/fixtures.ts'
import { startServer, startWithApp, temporaryFolder } from '../support/server.ts'

const ACTOR = { kind: 'command_line', name: 'ada' } as const

/** A backup from before 1.0.0 was offered and 1.1.0 published, and the data folder after both. */
async function history() {
  const server = await startWithApp()
  const { folder } = server
  await publish(server, '1.0.0', { rolloutPct: 50 })
  await publish(server, '0.1.0', { artifacts: [] })
  const backup = join(temporaryFolder(), 'backup.db')
  await backupDatabase(folder, backup)
  await serve(server, '1.0.0', { rolloutPct: 100 })
  expect((await check(server, '0.9.0')).status).toBe(200)
  await publish(server, '1.1.0', { artifacts: [artifact()] })
  await server.stop()
  return { folder, backup, key: server.key }
}

const LOST = { count: 1, newest: [{ app: 'editor', channel: 'stable', version: '1.1.0' }] }

test('a restored release counts as offered, and what is lost is named', async () => {
  const { folder, backup } = await history()
  expect(inspectBackup(folder, backup)).toMatchObject({ ok: true, lost: LOST })
  const result = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(result).toMatchObject({ offered: 1, lost: LOST })

  const server = await startServer({ dataFolder: folder })
  expect(await shown(server, '1.0.0')).toMatchObject({ rolloutPct: 50, offered: true })
  expect(await shown(server, '0.1.0')).toMatchObject({ offered: false })
  expect((await serve(server, '1.0.0', { rolloutPct: 49 })).status).toBe(422)
  expect((await serve(server, '1.0.0', { rolloutPct: 60 })).status).toBe(200)
  expect(await auditOf(server, 'database.restored')).toMatchObject([
    { actor: ACTOR, after: { offered: 1, releasesLost: 1, newestLost: LOST.newest } },
  ])
})

test('of many lost releases the newest hundred are named', async () => {
  const { folder, backup } = await history()
  const database = openDatabase(dataFile(folder))
  const insert = database.prepare(
    `INSERT INTO releases (id, app_key, channel_key, version, status, rollout_pct, targets, offered,
       created_at, revision, notes)
     SELECT 'later-' || ?, app_key, channel_key, '2.0.' || ?, status, 0, 'null', 0,
       '2100-01-01T00:00:00.' || ? || 'Z', revision, '' FROM releases WHERE version = '1.1.0'`,
  )
  for (let patch = 100; patch < 250; patch++) insert.run(...Array(3).fill(String(patch)))
  database.close()
  const { lost } = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(lost.count).toBe(151)
  expect(lost.newest).toHaveLength(100)
  expect(lost.newest[0]).toEqual({ app: 'editor', channel: 'stable', version: '2.0.249' })
})
