import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { revokeKey } from '../../../../../src/server/catalog/keys.ts'
import { inspectBackup } from '../../../../../src/server/compose/server-process/restore-task.ts'
import { backupDatabase } from '../../../../../src/server/storage/sqlite/backup/backup.ts'
import { restoreDatabase } from '../../../../../src/server/storage/sqlite/backup/restore.ts'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { PRINCIPAL } from '../../../../support/builders/actor.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'
import { artifact } from '../../../../support/builders/releases.ts'
import {
  auditOf,
  check,
  publish,
  serve,
  setPolicy,
  shown,
} from '../../../../support/servers/calls.ts'
import { startServer, startWithApp } from '../../../../support/servers/server.ts'

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

test('a restored release counts as offered, and lost releases are named', async () => {
  const { folder, backup } = await history()
  expect(await inspectBackup({ dataFolder: folder, files: null, file: backup })).toMatchObject({
    ok: true,
    lost: LOST,
    offered: 1,
  })
  const result = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(result).toMatchObject({ offered: 1, lost: LOST })

  const server = await startServer({ dataFolder: folder })
  expect(await shown(server, '1.0.0')).toMatchObject({ rolloutPct: 100, offered: true })
  expect(await shown(server, '0.1.0')).toMatchObject({ offered: false })
  expect((await serve(server, '1.0.0', { rolloutPct: 99 })).status).toBe(422)
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

const RING = { matchLabels: { ring: ['beta'] } }
const RINGS = { matchLabels: { ring: ['beta', 'internal'] } }

test('rollbacks and raised rollouts since the backup are kept', async () => {
  const server = await startWithApp()
  const { folder } = server
  const leaked = await server.mint({ name: 'leaked' })
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) {
    await publish(server, version, {
      rolloutPct: 50,
      ...(version === '1.2.0' && { targets: RING }),
    })
  }
  await serve(server, '1.3.0', { status: 'paused' })
  const backup = join(temporaryFolder(), 'backup.db')
  await backupDatabase(folder, backup)
  await serve(server, '1.0.0', { rolloutPct: 80, status: 'paused' })
  await serve(server, '1.1.0', { rolloutPct: 100 })
  expect((await check(server, '0.9.0')).status).toBe(200)
  await serve(server, '1.1.0', { status: 'rolled_back' })
  await serve(server, '1.2.0', { targets: RINGS, rolloutPct: 20 })
  await serve(server, '1.3.0', { status: 'published', rolloutPct: 0 })
  await revokeKey(server.catalog, ACTOR, leaked.slice(0, 8))
  await server.mint({ name: 'later' })
  await server.stop()

  const kept = { rolledBack: 1, servingKept: 3, keysRevoked: 1 }
  const keys = ['leaked', 'later'].map((name) => expect.objectContaining({ name }))
  const access = { people: [], keys }
  const inspection = await inspectBackup({ dataFolder: folder, files: null, file: backup })
  expect(inspection).toMatchObject({ ok: true, carriedOver: kept, offered: 4, access })
  // Only looked at: it is the same once more.
  expect(await inspectBackup({ dataFolder: folder, files: null, file: backup })).toEqual(inspection)
  const { carriedOver } = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(carriedOver).toEqual(kept)
  const again = await startServer({ dataFolder: folder })
  expect((await check(again, '0.9.0')).status).toBe(204)
  expect(await shown(again, '1.0.0')).toMatchObject({ status: 'paused', rolloutPct: 80 })
  expect(await shown(again, '1.1.0')).toMatchObject({ status: 'rolled_back', rolloutPct: 100 })
  // Nobody had been offered it, so its rollout could still be lowered.
  expect(await shown(again, '1.2.0')).toMatchObject({ rolloutPct: 20, targets: RINGS })
  expect(await shown(again, '1.3.0')).toMatchObject({ status: 'published', rolloutPct: 0 })
  expect((await again.call('GET', '/api/v1/releases', { key: leaked })).status).toBe(401)
  expect(await auditOf(again, 'database.restored')).toMatchObject([
    { after: { carriedOver: kept } },
  ])
})

test('a backup that is newer than the current data keeps its state', async () => {
  const server = await startWithApp()
  const { folder } = server
  const [older, newer] = ['older.db', 'newer.db'].map((name) => join(temporaryFolder(), name))
  await publish(server, '1.0.0', { rolloutPct: 10 })
  await publish(server, '1.1.0', { rolloutPct: 10 })
  await publish(server, '1.2.0', { rolloutPct: 10 })
  await backupDatabase(folder, String(older))
  await serve(server, '1.0.0', { rolloutPct: 60, status: 'paused' })
  await serve(server, '1.1.0', { status: 'rolled_back' })
  await serve(server, '1.2.0', { rolloutPct: 30 })
  await backupDatabase(folder, String(newer))
  await server.stop()
  writeFileSync(dataFile(folder), readFileSync(String(older)))
  const between = await startServer({ dataFolder: folder })
  await serve(between, '1.2.0', { status: 'rolled_back' })
  await between.stop()
  const { carriedOver } = await restoreDatabase(folder, String(newer), { actor: ACTOR })
  expect(carriedOver).toEqual({ rolledBack: 1, servingKept: 0, keysRevoked: 0 })
  const again = await startServer({ dataFolder: folder })
  expect(await shown(again, '1.0.0')).toMatchObject({ status: 'paused', rolloutPct: 60 })
  expect(await shown(again, '1.1.0')).toMatchObject({ status: 'rolled_back' })
  expect(await shown(again, '1.2.0')).toMatchObject({ status: 'rolled_back', rolloutPct: 30 })
})

test('the result shows that nothing can be carried over', async () => {
  const { folder, backup, key } = await history()
  writeFileSync(dataFile(folder), 'no database')
  // Any key may have been revoked since.
  const access = { keys: [{ prefix: key.slice(0, 8), difference: 'unknown' }] }
  expect(await inspectBackup({ dataFolder: folder, files: null, file: backup })).toMatchObject({
    present: null,
    carriedOver: null,
    access,
  })
  expect(await restoreDatabase(folder, backup, { actor: ACTOR })).toMatchObject({
    carriedOver: null,
    lost: { count: 0 },
    access,
  })
  const restored = await startServer({ dataFolder: folder })
  expect((await restored.call('GET', '/api/v1/releases', { key })).status).toBe(401)
})

test('a key that was removed with its app since the backup stays revoked', async () => {
  const { folder, backup, key } = await history()
  const database = openDatabase(dataFile(folder))
  database.prepare('DELETE FROM api_keys').run()
  database.close()
  const { access } = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(access.keys).toMatchObject([{ prefix: key.slice(0, 8), difference: 'removed' }])
  const restored = await startServer({ dataFolder: folder })
  expect((await restored.call('GET', '/api/v1/releases', { key })).status).toBe(401)
})

test('a release that waited for its proof stays paused after a restore', async () => {
  const server = await startWithApp()
  const { folder } = server
  await setPolicy(server, { proving: 'required' })
  const artifacts = [artifact({ url: 'https://downloads.invalid/1' })]
  expect(await publish(server, '1.0.0', { artifacts })).toMatchObject({ status: 'paused' })
  const release = { app: 'editor', channel: 'stable', version: '1.0.0' }
  expect((await server.updates.showProof(PRINCIPAL, release)).awaitsProof).toBe(true)
  const backup = join(temporaryFolder(), 'backup.db')
  await backupDatabase(folder, backup)
  // In the meantime somebody decided that it stays paused, which the backup does not know.
  await serve(server, '1.0.0', { status: 'paused' })
  await server.stop()
  await restoreDatabase(folder, backup, { actor: ACTOR })
  const restored = await startServer({ dataFolder: folder })
  expect((await restored.updates.showProof(PRINCIPAL, release)).awaitsProof).toBe(false)
})
