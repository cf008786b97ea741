// @module-tag postgresql

import { hostname } from 'node:os'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createFolder, storageEngine } from '../../../src/server/storage/open-storage.ts'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { ensurePartitions } from '../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import { SCHEMA } from '../../../src/server/storage/postgres/migrations/index.ts'
import { migrate } from '../../../src/server/storage/postgres/migrations/migrate.ts'
import { unusable } from '../../../src/server/storage/postgres/migrations/usable-state.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import { checkInOf, openTelemetryNode, storeChannels } from './postgres/fleet/telemetry-node.ts'

const DAY = 86_400_000

async function open(options?: { prepared: boolean }) {
  const url = await freshDatabase(options)
  const database = new PostgresDatabase(url)
  onTestFinished(() => database.close())
  return { url, database, engine: storageEngine({ dataFolder: temporaryFolder(), database: url }) }
}

async function addNode(
  database: PostgresDatabase,
  lease: string,
  state: object = {},
  name = hostname(),
) {
  await database.run(
    `WITH joined AS (
      INSERT INTO nodes (slot, name, version, schema, address, state)
      VALUES ((SELECT count(*) + 1 FROM nodes), $1, '1.0.0', $2, 'http://10.0.0.1:8440', $3)
      RETURNING id)
    INSERT INTO leases (node, lease_until, seen_at)
    SELECT id, clock_timestamp() + $4::interval, clock_timestamp() + $4::interval FROM joined`,
    [name, SCHEMA, JSON.stringify(state), lease],
  )
}

test('an empty database becomes one of this program', async () => {
  const { engine } = await open()
  expect([await engine.exists(), await engine.version()]).toEqual([false, 0])
  expect(await engine.planUpgrade()).toMatchObject({ from: 0, to: SCHEMA, copy: null })
  expect(await engine.upgrade()).toMatchObject({ from: 0, to: SCHEMA })
  expect([await engine.exists(), await engine.version()]).toEqual([true, SCHEMA])
  expect(await engine.upgrade()).toMatchObject({ from: SCHEMA, to: SCHEMA })
  const space = await engine.space()
  expect(space.databaseBytes).toBeGreaterThan(1_000_000)
  expect(space).toMatchObject({ logBytes: expect.any(Number), freeBytes: undefined })
})

test('a database of another program stays as it is', async () => {
  const { database, engine } = await open()
  await database.run('CREATE TABLE invoices (id integer)')
  const refused = {
    code: 'foreign_database',
    problem: { circumstance: { kind: 'other_tables', schema: 'public' } },
  }
  await expect(migrate(database)).rejects.toMatchObject(refused)
  await expect(engine.version()).rejects.toMatchObject(refused)
  expect(await engine.exists()).toBe(true)
  expect(await engine.examine()).toMatchObject({ ok: false, version: undefined })
  const tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ 'tidegate|apps'"
  expect(await database.rows(tables)).toEqual([])
})

test('a database with another encoding is refused', async () => {
  const url = await freshDatabase()
  const name = `${new URL(url).pathname.slice(1)}_latin`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
  await client.end()
  const database = new PostgresDatabase(`${url}_latin`)
  onTestFinished(() => database.close())
  await expect(migrate(database)).rejects.toMatchObject({
    code: 'unsupported',
    problem: { circumstance: { kind: 'encoding', found: 'LATIN1' } },
  })
})

test('an old server is refused, whatever is in the database', () => {
  const facts = { encoding: 'UTF8', schema: 'public', own: true, isFilled: true }
  const of = (version: string, versionNumber: number) =>
    unusable({ ...facts, version, versionNumber }, 'postgres://db/tidegate')?.problem
  expect(of('14.12', 140_012)).toMatchObject({
    code: 'unsupported',
    circumstance: { found: '14.12', needed: 15 },
  })
  expect(of('15.0', 150_000)).toBeUndefined()
})

test('backups are a matter of the database', async () => {
  const { engine } = await open()
  const { signal } = new AbortController()
  const actor = { kind: 'console', name: 'ada' } as const
  expect(engine.makesBackups).toBe(false)
  for (const work of [
    () => engine.backup('/tmp/copy'),
    () => engine.restore('/tmp/copy', { actor }),
    () => engine.compare('/tmp/copy'),
    () => engine.copies.make('/tmp/copy', signal),
    () => engine.copies.inspect('/tmp/copy', signal),
    () => engine.copies.stage('/tmp/copy', signal),
  ]) {
    await expect(work()).rejects.toMatchObject({ code: 'unsupported' })
  }
  // Certificates are still kept in a folder.
  expect(() => createFolder(temporaryFolder())).not.toThrow()
})

test('the holder is a node that may serve, with what it tells programs', async () => {
  const { database, engine } = await open({ prepared: true })
  expect(await engine.holder()).toBeUndefined()
  await addNode(database, '-1 second')
  expect(await engine.holder()).toBeUndefined()
  const keptFiles = { folder: '/files', publicUrl: 'https://updates.example.com' }
  await addNode(database, '1 hour', { pid: 7, statusToken: 'secret', keptFiles, queued: 3 })
  expect(await engine.holder()).toMatchObject({
    ...{ pid: 7, address: 'http://10.0.0.1:8440', statusToken: 'secret', keptFiles },
  })
})

test('of several nodes, the holder is one of this computer, whatever their names are', async () => {
  const { database, engine } = await open({ prepared: true })
  await addNode(database, '1 hour', { pid: 1, host: 'elsewhere.example' })
  await addNode(database, '1 hour', { pid: 2, host: hostname() }, 'web-2')
  expect(await engine.holder()).toMatchObject({ pid: 2 })
})

test('a device is forgotten, whether a node runs or not', async () => {
  const { database, engine } = await open({ prepared: true })
  await addNode(database, '1 hour')
  const name = { appKey: 1, deviceId: 'device-1' }
  await database.run("INSERT INTO erasures (app_key, device_id) VALUES (1, 'device-1')")
  expect(await engine.isErasurePending(name)).toBe(true)
  expect(await engine.erase(name)).toBe(true)
  expect(await engine.isErasurePending(name)).toBe(false)
})

test('a sound database has no findings, and each trouble is found', async () => {
  const { database, engine } = await open({ prepared: true })
  expect(await engine.examine()).toMatchObject({
    ...{ ok: true, findings: [], version: SCHEMA, expectedVersion: SCHEMA },
    rows: { apps: 0, check_ins: 0, devices: 0 },
  })
  await addNode(database, '-10 minutes')
  await ensurePartitions(database, Date.now() - 10 * DAY)
  await database.run('INSERT INTO hourly_adoption VALUES (1, 1, 0, 1)')
  await database.run(
    'INSERT INTO profile_changes (device, id, at, profile) VALUES (1, 1, 1, 1), (2, 2, 2, 2)',
  )
  const { ok, findings } = await engine.examine()
  expect(ok).toBe(true)
  const { 0: today } = new Date().toISOString().split('T')
  expect(findings).toMatchObject([
    { code: 'stale_nodes', count: 1 },
    { code: 'partitions', days: [today, expect.any(String)] },
    { code: 'history', issue: 'changes_without_device', count: 2 },
    { code: 'history', issue: 'hours_without_profile', count: 1 },
  ])
})

test('check-ins of a device on two nodes in turn are sound, and those in a circle are not', async () => {
  const { database, engine } = await open({ prepared: true })
  await storeChannels(database)
  const nodes = [await openTelemetryNode(database), await openTelemetryNode(database)]
  for (let minutes = 0; minutes < 4; minutes++) {
    const node = nodes[minutes % 2]
    const checkIn = checkInOf({
      ...{ device: 1, channelKey: 1, version: '1.0.0', minutes },
      ...{ answer: 'up_to_date', release: 0, node: 0 },
    })
    node?.facts.add({ kind: 'check_in', checkIn, labels: undefined })
    await node?.flush()
  }
  const issues = async () =>
    (await engine.examine()).findings.filter(({ code }) => code === 'history')
  expect(await issues()).toEqual([])
  await database.run('UPDATE check_ins SET previous = id WHERE previous = 0')
  expect(await issues()).toMatchObject([{ issue: 'check_ins_out_of_order', count: 1 }])
})

test('a database that cannot be reached, and one that is read-only, say so', async () => {
  const nobody = 'postgres://tide:hunter2@127.0.0.1:1/tidegate'
  const report = await storageEngine({ dataFolder: '/none', database: nobody }).examine()
  expect(report).toMatchObject({
    ...{ ok: false, file: 'postgres://127.0.0.1:1/tidegate' },
    findings: [{ code: 'unreadable', problem: { code: 'unreachable' } }],
  })
  expect(JSON.stringify(report)).not.toContain('hunter2')
  const { database, engine } = await open({ prepared: true })
  const name = (await database.row<{ name: string }>('SELECT current_database()::text AS name'))
    ?.name
  await database.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  expect(await engine.examine()).toMatchObject({ ok: false, findings: [{ code: 'read_only' }] })
})
