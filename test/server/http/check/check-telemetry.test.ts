// @module-tag long

import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'
import { MAX_QUEUED } from '../../../../src/server/storage/shared/ingest/check-in-queue.ts'
import { item } from '../../../support/builders/devices.ts'
import { setting } from '../../../support/builders/labels.ts'
import { eventually } from '../../../support/eventually.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { check, expectError, publish } from '../../../support/servers/calls.ts'
import { connectTo, countRows, execute } from '../../../support/servers/database.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { checkAs, offeredTo, plan, report } from '../../../support/servers/fleet-calls.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { countStored, storedRows } from '../../../support/servers/stored.ts'

function editorKey(server: TestServer): number {
  return server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
}

async function telemetryOf(server: TestServer) {
  const { status, body } = await server.call('GET', '/healthz', { key: null })
  expect(status).toBe(200)
  return body.telemetry
}

describe('the check-in of an update check', () => {
  test('is visible immediately, and stored after the server has stopped', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    await offeredTo(server, 'v1.0.0', { device: 'one', platform: 'MacOS', arch: 'ARM64' })
    await offeredTo(server, '1.1.0', { device: 'two' })
    const profile = { version: '1.0.0', platform: 'macos', arch: 'arm64' }
    expect(await profileOf(server.fleet, editorKey(server), 'one')).toMatchObject(profile)
    await server.stop()
    const stored = await storedRows(
      server,
      `SELECT device_id, version, platform, kind % 16 AS reason FROM check_ins
      JOIN devices ON devices.id = device JOIN profiles ON profiles.id = check_ins.profile
      ORDER BY check_ins.id`,
    )
    expect(stored).toEqual([
      // 1: update; 3: up to date.
      ['one', '1.0.0', 'macos', 1],
      ['two', '1.1.0', 'darwin', 3],
    ])
  })

  test('without the header is counted as anonymous, and creates no device', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    await offeredTo(server, '1.0.0')
    await offeredTo(server, '1.1.0')
    await offeredTo(server, '1.0.0', { device: 'one' })
    await server.stop()
    expect(await countStored(server, 'check_ins', 'devices')).toEqual([3, 1])
    const traffic = 'SELECT sum(check_ins), sum(anonymous), sum(offers) FROM traffic'
    expect(await storedRows(server, traffic)).toEqual([[3, 2, 2]])
  })

  test('moves the device: version, channel and platform are those of the last check', async () => {
    const server = await startWithApp()
    for (const [version, arch] of [
      ['1.0.0', 'x86_64'],
      ['2.0.0', 'aarch64'],
      ['1.5.0', 'aarch64'],
    ] as const) {
      await offeredTo(server, version, { device: 'one', arch })
    }
    const profile = { version: '1.5.0', arch: 'aarch64' }
    expect(await profileOf(server.fleet, editorKey(server), 'one')).toMatchObject(profile)
    await server.stop()
    expect(await countStored(server, 'check_ins', 'devices')).toEqual([3, 1])
  })

  test('is not taken of a check that is refused', async () => {
    const server = await startWithApp()
    await checkAs(server, 'one', { device: 'one' })
    await checkAs(server, '1.0.0', { device: 'one', query: '?l.-=1' })
    await checkAs(server, '1.0.0', { device: 'one', channel: 'beta' })
    await server.stop()
    expect(await countStored(server, 'check_ins')).toEqual([0])
  })

  test('is announced to listeners in the process', async () => {
    const server = await startWithApp()
    const received: unknown[] = []
    server.fleet.feed.subscribe((event) => received.push(event))
    await offeredTo(server, '1.0.0', { device: 'one' })
    await report(server, [item('two', { version: '1.1.0' })])
    await plan(server, [item('three')])
    await plan(server, [item('four')], { dryRun: true })
    await server.fleet.settled()
    expect(received).toMatchObject([
      { sequence: 1, deviceId: 'one', version: '1.0.0', source: 'check', reason: 'no_release' },
      { sequence: 2, deviceId: 'two', version: '1.1.0', source: 'report', reason: null },
      { sequence: 3, deviceId: 'three', source: 'decision', reason: 'no_release' },
    ])
    expect(received).toHaveLength(3)
  })
})

// Made so by changes of SQLite's schema and locks.
describe.skipIf(isOnPostgres)('while telemetry cannot be written', () => {
  test('checks are answered, it shows, and nothing of it is lost', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    expect(await offeredTo(server, '1.0.0', { device: 'before' })).toBe('1.1.0')
    await server.fleet.settled()
    const ok = { state: 'ok', queued: 0, lost: 0 }
    expect(await telemetryOf(server)).toEqual(ok)

    const database = connectTo(server)
    await execute(database, 'ALTER TABLE check_ins RENAME TO elsewhere')
    const offered = (device: string | null, query = '') =>
      offeredTo(server, '1.0.0', { device, query })
    expect(await offered('one')).toBe('1.1.0')
    await eventually(async () =>
      expect(await telemetryOf(server)).toMatchObject({ state: 'failing' }),
    )
    expect(await offered('two', '?l.ring=beta')).toBe('1.1.0')
    expect(await offered(null)).toBe('1.1.0')
    expect((await check(server, '1.1.0')).status).toBe(204)
    const { queued, lost } = await telemetryOf(server)
    expect([queued, lost]).toEqual([3, 0])

    // What promises to be stored does not say that it was.
    const refused = [
      await report(server, [item('reported')]),
      await plan(server, [item('planned')]),
    ]
    for (const answer of refused) {
      expectError(answer, 503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const dry = await plan(server, [item('dry')], { dryRun: true })
    expect([dry.status, dry.body.updatesOffered]).toEqual([200, 1])
    expect(countRows(database, 'devices')).toBe(1)

    await execute(database, 'ALTER TABLE elsewhere RENAME TO check_ins')
    await eventually(async () => expect(await telemetryOf(server)).toEqual(ok))
    expect((await report(server, [item('after')])).status).toBe(200)
    const devices = database.prepare('SELECT device_id FROM devices ORDER BY id').pluck().all()
    const test = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
    expect(devices).toEqual(['before', 'one', 'two', test, 'reported', 'planned', 'after'])
    expect(countRows(database, 'check_ins')).toBe(8)
    const labels = database.prepare("SELECT labels FROM devices WHERE device_id = 'two'").pluck()
    expect(labels.get()).toBe('{"ring":"beta"}')
  })

  test('because of one row, that row is set aside, counted and logged, and the rest goes on', async () => {
    const lines: string[] = []
    const server = await startWithApp({}, pino({}, { write: (line) => lines.push(line) }))
    const database = connectTo(server)
    await execute(
      database,
      `CREATE TRIGGER broken BEFORE INSERT ON devices WHEN NEW.device_id = 'poison'
      BEGIN SELECT RAISE(ABORT, 'no poison'); END`,
    )
    const poisoned = await report(server, [item('poison'), item('beside')])
    expectError(poisoned, 503)
    expect(await offeredTo(server, '1.0.0', { device: 'later' })).toBeNull()
    await eventually(async () => {
      expect(await telemetryOf(server)).toEqual({ state: 'ok', queued: 0, lost: 1 })
    })
    expect((await report(server, [item('after')])).status).toBe(200)
    const devices = database.prepare('SELECT device_id FROM devices ORDER BY id').pluck().all()
    expect(devices).toEqual(['beside', 'later', 'after'])
    expect(countRows(database, 'set_aside')).toBe(2)
    const logged = lines.find((line) => line.includes('set aside'))
    expect(logged).toContain('no poison')
  })

  test('what exceeds the space is counted, shown and remembered', async () => {
    const server = await startWithApp()
    const [channelKey = 0] = server.catalog.snapshot.channelByKey.keys()
    const profile = new ProfileClaim(channelKey, '1.0.0', 'darwin', 'aarch64')
    const at = Date.now()
    const common = { deviceId: null, profile, at, source: 'check', reason: 'no_release' } as const
    // All at once: nothing is written in between.
    for (let count = 0; count <= MAX_QUEUED; count++) {
      server.fleet.record({ ...common, appKey: editorKey(server) })
    }
    expect(await telemetryOf(server)).toMatchObject({ state: 'ok', lost: 1 })
    await report(server, [item('two')])
    await server.stop()
    const again = await startServer({ dataFolder: server.folder })
    expect(await telemetryOf(again)).toMatchObject({ lost: 1 })
  })

  test('because another program holds the write lock for longer than one waits', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    expect(await offeredTo(server, '1.0.0', { device: 'before' })).toBe('1.1.0')
    await server.fleet.settled()

    const holder = connectTo(server)
    await execute(holder, 'BEGIN IMMEDIATE')
    expect(await offeredTo(server, '1.0.0', { device: 'one' })).toBe('1.1.0')
    await eventually(async () => {
      expect(await offeredTo(server, '1.1.0', { device: 'two' })).toBeNull()
      expect(await telemetryOf(server)).toMatchObject({ state: 'failing', lost: 0 })
    })
    await execute(holder, 'COMMIT')
    await eventually(async () => expect(await telemetryOf(server)).toMatchObject({ state: 'ok' }))
    await server.stop()
    expect(countRows(connectTo(server), 'devices')).toBe(3)
  })

  test('or its labels read, checks go on with the labels that they send', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { targets: { matchLabels: { ring: 'beta' } } })
    const { fleet } = server
    const [channelKey = 0] = server.catalog.snapshot.channelByKey.keys()
    const profile = new ProfileClaim(channelKey, '1.0.0', 'darwin', 'aarch64')
    const appKey = editorKey(server)
    const at = Date.now()
    const common = { appKey, profile, at, source: 'check', reason: 'no_release' } as const
    // More label sets than are kept in memory.
    for (let set = 0; set <= 50_000; set++) {
      fleet.record({ ...common, deviceId: 'restless' }, setting({ set: String(set) }))
    }
    const device = 'one'
    await report(server, [item(device, { labels: { ring: 'beta', site: 'a' } })])
    expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')

    const database = connectTo(server)
    await execute(database, 'ALTER TABLE devices RENAME TO elsewhere')
    expect(await offeredTo(server, '1.0.0', { device })).toBeNull()
    expect(await offeredTo(server, '1.0.0', { device, query: '?l.ring=beta' })).toBe('1.1.0')
    await execute(database, 'ALTER TABLE elsewhere RENAME TO devices')
    expect(await fleet.labelsOf(appKey, [device])).toEqual([{ ring: 'beta', site: 'a' }])
    expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')
  })

  test('a server that is stopped meanwhile stops, and starts again', async () => {
    const server = await startWithApp()
    const database = connectTo(server)
    await execute(
      database,
      "CREATE TRIGGER broken BEFORE INSERT ON check_ins BEGIN SELECT RAISE(ABORT, 'broken'); END",
    )
    expect(await offeredTo(server, '1.0.0', { device: 'one' })).toBeNull()
    await server.stop()
    await execute(database, 'DROP TRIGGER broken')
    expect(countRows(database, 'check_ins')).toBe(0)
    const again = await startServer({ dataFolder: server.folder })
    expect((await report(again, [item('two')])).status).toBe(200)
    expect(countRows(database, 'check_ins')).toBe(1)
  })
})
