import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { recountedCounters, storedCounters } from '../../../support/check-in-log/counters.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { auditOf, check, expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { callerOf, failureOf, startConsole } from '../../../support/servers/console.ts'
import { connectTo } from '../../../support/servers/database.ts'
import { isOnPostgres, storedTables } from '../../../support/servers/engine.ts'
import { report } from '../../../support/servers/fleet-calls.ts'
import { request, startServer, type TestServer } from '../../../support/servers/server.ts'

const DEVICES = Array.from({ length: 300 }, (_, index) => `device-${index}`)
type Row = Readonly<Record<string, unknown>>

const REMOVE = { ref: 'editor', confirmation: 'editor' }

/** Checks without end from 8 sides, on paths that rotate, until stopped. Answers the statuses. */
function keepChecking(server: TestServer, paths: readonly string[]) {
  let running = true
  const statuses = new Map<number, number>()
  const side = async (number: number) => {
    for (let round = number; running; round += 8) {
      const path = paths[round % paths.length] ?? ''
      const headers = { 'x-service-device': DEVICES[round % DEVICES.length] ?? '' }
      const { status } = await request(server.address + path, 'GET', { headers })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const sides = Array.from({ length: 8 }, (_, number) => side(number))
  const stop = async () => {
    running = false
    await Promise.all(sides)
    return statuses
  }
  onTestFinished(async () => {
    await stop()
  })
  return stop
}

/** What refers to something that is not there: nothing may. */
function orphans(server: TestServer): unknown[] {
  // PostgreSQL refuses them by itself.
  if (isOnPostgres) return []
  return connectTo(server).prepare('PRAGMA foreign_key_check').all()
}

test('an app goes with all that it has while its devices check, and stays away', async () => {
  const folder = temporaryFolder()
  const server = await startServer({ dataFolder: folder })
  const console = callerOf(server)
  await console.apps.create({ ref: 'editor', name: 'Editor' })
  await console.apps.create({ ref: 'player', name: 'Player' })
  await publish(server, '1.0.0')
  const bound = await server.mint({ app: 'editor' })
  await report(
    server,
    DEVICES.map((deviceId) => ({ deviceId, version: '0.9.0', labels: { a: deviceId } })),
  )
  const stop = keepChecking(server, [
    '/u/editor/stable/linux/x86_64/1.0.0',
    '/u/editor/stable/darwin/aarch64/0.9.0?l.ring=beta',
    '/u/player/stable/linux/x86_64/3.0.0',
  ])
  expect(await failureOf(console.apps.remove(REMOVE))).toMatchObject({ code: 'invariant' })
  expect(await failureOf(console.apps.remove({ ...REMOVE, confirmation: 'Editor' }))).toMatchObject(
    {
      code: 'invalid',
    },
  )
  await console.releases.changeServing({
    app: 'editor',
    channel: 'stable',
    version: '1.0.0',
    status: 'rolled_back',
  })
  // Not archived: the checks are answered until the very end.
  expect(await console.apps.remove(REMOVE)).toEqual({ ref: 'editor' })
  expect(expectError(await check(server, '0.9.0'), 404)).toBe('unknown app "editor"')
  expect((await server.call('GET', RELEASES, { key: bound })).status).toBe(401)
  const statuses = await stop()
  expect([...statuses.keys()].sort()).toEqual(
    [200, 204, 404].filter((status) => statuses.has(status)),
  )
  await server.fleet.settled()
  expect(server.fleet.health).toMatchObject({ failure: null })

  const stored = await storedTables(server.folder)
  const rowsOf = (table: string) => JSON.parse(stored.get(table) ?? '')
  expect(rowsOf('apps')).toMatchObject([{ ref: 'player' }])
  for (const table of ['releases', 'artifacts']) expect(rowsOf(table)).toEqual([])
  expect(orphans(server)).toEqual([])
  const players = rowsOf('devices').length
  expect(new Set(rowsOf('devices').map((row: Row) => row.app_key)).size).toBe(1)
  expect((await auditOf(server, 'app.removed'))[0]).toMatchObject({
    app: 'editor',
    actor: { kind: 'console' },
    before: { channels: [{ channel: 'stable', releases: 1 }] },
  })
  expect(await auditOf(server, 'release.published')).toHaveLength(1)

  await server.stop()
  const again = await startServer({ dataFolder: folder })
  await callerOf(again).apps.create({ ref: 'editor', name: 'Editor' })
  await report(
    again,
    DEVICES.map((deviceId) => ({ deviceId, version: '0.1.0' })),
  )
  const apps = await callerOf(again).apps.list()
  expect(apps.map(({ ref, devices }) => ({ ref, devices }))).toEqual([
    { ref: 'player', devices: players },
    { ref: 'editor', devices: DEVICES.length },
  ])
  if (isOnPostgres) return
  // The check-in log still knows the old numbers: none is given out again.
  const highest = (column: string) =>
    rowsOf('check_ins').reduce((most: number, row: Row) => Math.max(most, Number(row[column])), 0)
  const number = (sql: string) => Number(connectTo(again).prepare(sql).pluck().get())
  expect(number('SELECT min(id) FROM devices WHERE app_key > 2')).toBeGreaterThan(highest('device'))
  expect(number("SELECT min(id) FROM profiles WHERE version = '0.1.0'")).toBeGreaterThan(
    highest('profile'),
  )
})

test('a channel goes with the devices that last checked on it; the others stay', async () => {
  const { server, console } = await startConsole()
  const remove = { app: 'editor', channel: 'beta', confirmation: 'beta' }
  await console.channels.create({ app: 'editor', name: 'beta' })
  await publish(server, '1.0.0', { channel: 'beta' })
  for (const device of ['stays', 'moves', 'returns']) {
    await check(server, '0.9.0', { channel: 'beta', device, query: '?l.ring=x' })
  }
  await check(server, '0.9.0', { device: 'moves' })
  await check(server, '0.9.0', { device: 'returns' })
  await check(server, '0.9.0', { channel: 'beta', device: 'returns' })
  const refused = await failureOf(console.channels.remove(remove))
  expect(refused).toMatchObject({ code: 'invariant' })
  // A removal that was refused leaves the fleet as it was.
  await check(server, '0.9.1', { channel: 'beta', device: 'stays' })
  expect((await profileOf(server.fleet, 1, 'stays'))?.version).toBe('0.9.1')

  await console.releases.changeServing({
    app: 'editor',
    channel: 'beta',
    version: '1.0.0',
    status: 'rolled_back',
  })
  const app = await console.channels.remove(remove)
  expect(app).toMatchObject({ devices: 1, channels: [{ name: 'stable' }] })
  expect(await profileOf(server.fleet, 1, 'stays')).toBeUndefined()
  expect(await profileOf(server.fleet, 1, 'moves')).toMatchObject({ version: '0.9.0' })
  expectError(await check(server, '0.9.0', { channel: 'beta' }), 404)
  await check(server, '0.9.0', { device: 'returns' })
  await server.fleet.settled()
  expect(orphans(server)).toEqual([])
  const devices: Row[] = JSON.parse((await storedTables(server.folder)).get('devices') ?? '')
  expect(devices.map((row) => row.device_id).toSorted()).toEqual(['moves', 'returns'])
  if (isOnPostgres) return
  const database = connectTo(server)
  expect(storedCounters(database).presence).toEqual(
    Object.fromEntries(
      Object.entries(recountedCounters(database).presence).filter(([cell]) =>
        database.prepare('SELECT 1 FROM profiles WHERE id = ?').get(Number.parseInt(cell, 10)),
      ),
    ),
  )
})

test('rejects the last channel, unknown names and missing confirmations', async () => {
  const { console } = await startConsole()
  const place = { app: 'editor', channel: 'stable', confirmation: 'stable' }
  expect(await failureOf(console.channels.remove(place))).toEqual({
    code: 'invariant',
    message:
      'Channel "stable" of app "editor" cannot be removed; an app needs at least one channel.',
  })
  await console.channels.create({ app: 'editor', name: 'beta' })
  const typo = { ...place, confirmation: 'stabel' }
  expect(await failureOf(console.channels.remove(typo))).toMatchObject({ code: 'invalid' })
  const gone = { ...place, channel: 'gone', confirmation: 'gone' }
  expect(await failureOf(console.channels.remove(gone))).toMatchObject({ code: 'unknown' })
  await console.channels.remove(place)
  expect((await console.apps.list())[0]?.channels).toMatchObject([{ name: 'beta' }])
})

test('an archived app goes with releases that are still published', async () => {
  const { server, console } = await startConsole()
  await publish(server, '1.0.0')
  await check(server, '0.9.0')
  await console.apps.setArchived({ ref: 'editor', archived: true })
  await console.apps.remove(REMOVE)
  expect(await console.apps.list()).toEqual([])
  expect(orphans(server)).toEqual([])
})
