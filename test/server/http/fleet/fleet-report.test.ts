import { describe, expect, test } from 'vitest'
import { createApp, createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { item } from '../../../support/builders/devices.ts'
import { recountedCounters, storedCounters } from '../../../support/check-in-log/counters.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { expectError, publish, serve } from '../../../support/servers/calls.ts'
import { connectTo } from '../../../support/servers/database.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { offeredTo, plan, REPORT, report } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { countStored, storedLabels, storedRows } from '../../../support/servers/stored.ts'

function appKey(server: TestServer, ref = 'editor'): number {
  return server.catalog.snapshot.appByName.get(ref)?.record.key ?? 0
}

const runningOn = (server: TestServer, device: string) =>
  profileOf(server.fleet, appKey(server), device)

const labelsOf = async (server: TestServer, device: string) =>
  (await server.fleet.labelsOf(appKey(server), [device]))[0]

function numbered(count: number, prefix = 'k') {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 'x']))
}

describe('a report', () => {
  test('answers how many items it took, and for which app', async () => {
    const server = await startWithApp()
    const { status, body } = await report(server, [item('one'), item('two'), item('one')])
    expect({ status, body }).toEqual({ status: 200, body: { app: 'editor', received: 3 } })
    const app = server.catalog.snapshot.appByName.get('editor')?.record.id
    expect((await report(server, [item('one')], { app })).body.app).toBe('editor')
  })

  test('is committed when it is answered', async () => {
    const server = await startWithApp()
    const stored = `SELECT device_id, version, kind FROM check_ins
      JOIN devices ON devices.id = device JOIN profiles ON profiles.id = check_ins.profile
      ORDER BY check_ins.id`
    for (let round = 0; round < 10; round++) {
      const labels = { round: String(round) }
      const items = [item('one', { version: `1.0.${round}`, labels }), item(`new-${round}`)]
      await report(server, items)
      const rows = await storedRows(server, stored)
      expect(rows).toHaveLength(2 * (round + 1))
      expect(rows.slice(-2)).toEqual([
        ['one', `1.0.${round}`, 32],
        [`new-${round}`, '1.0.0', 32],
      ])
    }
  })

  test('counts as if the devices had checked in', async () => {
    const server = await startWithApp()
    await report(server, [item('one'), item('two'), item('three', { version: '1.1.0' })])
    await offeredTo(server, '1.1.0', { device: 'two' })
    await server.stop()
    const versions = await storedRows(
      server,
      `SELECT version, sum(devices) FROM adoption JOIN profiles ON profiles.id = profile
      WHERE devices > 0 GROUP BY version ORDER BY version`,
    )
    expect(versions).toEqual([
      ['1.0.0', 1],
      ['1.1.0', 2],
    ])
  })

  test('of two items of one device the last is its state', async () => {
    const server = await startWithApp()
    const twice = [
      item('one', { version: '2.0.0', labels: { ring: 'a', first: '1' } }),
      item('two'),
      item('one', { version: '1.5.0', labels: { ring: 'b' } }),
    ]
    const { body } = await report(server, twice)
    expect(body.received).toBe(3)
    expect(await runningOn(server, 'one')).toMatchObject({ version: '1.5.0' })
    expect(await labelsOf(server, 'one')).toEqual({ ring: 'b', first: '1' })
    expect(await countStored(server, 'devices', 'check_ins')).toEqual([2, 3])
  })

  test('keeps the stored platform, arch and labels if they are omitted', async () => {
    const server = await startWithApp()
    await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
    await offeredTo(server, '1.0.0', { device: 'one', channel: 'beta', query: '?l.ring=x' })
    await report(server, [{ deviceId: 'one', version: 'v1.1.0' }])
    const beta = server.catalog.snapshot.appByName.get('editor')?.channels.get('beta')?.record.key
    const kept = { platform: 'darwin', arch: 'aarch64', channelKey: beta }
    expect(await runningOn(server, 'one')).toMatchObject({ version: '1.1.0', ...kept })
    expect(await labelsOf(server, 'one')).toEqual({ ring: 'x' })
    await report(server, [{ deviceId: 'one', version: '1.1.0', arch: 'X64' }])
    expect(await runningOn(server, 'one')).toMatchObject({ platform: 'darwin', arch: 'x64' })
  })

  test('of a device that is not known yet needs no platform either', async () => {
    const server = await startWithApp()
    await report(server, [{ deviceId: 'new', version: '1.0.0' }])
    const stable = server.catalog.snapshot.appByName.get('editor')?.channels.get('stable')
    const channelKey = stable?.record.key
    expect(await runningOn(server, 'new')).toMatchObject({ channelKey, platform: '', arch: '' })
  })

  test('merges labels: they replace, add and remove', async () => {
    const server = await startWithApp()
    await report(server, [item('one', { labels: { ring: 'a', site: 'x', constructor: 'y' } })])
    await report(server, [item('one', { labels: { ring: 'b', site: '', new: '1' } })])
    const expected = { ring: 'b', constructor: 'y', new: '1' }
    expect(await labelsOf(server, 'one')).toEqual(expected)
    expect(await storedLabels(server)).toEqual([expected])
  })

  test('keeps the devices of each app apart', async () => {
    const server = await startWithApp()
    await createApp(server.catalog, ACTOR, { ref: 'player' })
    await report(server, [item('one')])
    await report(server, [item('one', { version: '2.0.0' })], { app: 'player' })
    expect(await runningOn(server, 'one')).toMatchObject({ version: '1.0.0' })
    const player = await profileOf(server.fleet, appKey(server, 'player'), 'one')
    expect(player).toMatchObject({ version: '2.0.0' })
  })

  test('offers nothing', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    await report(server, [item('one')])
    expect((await serve(server, '1.1.0', { rolloutPct: 10 })).status).toBe(200)
  })

  test('takes 1 to 500 devices', async () => {
    const server = await startWithApp()
    const devices = Array.from({ length: 500 }, (_, at) => item(`device-${at}`))
    expect((await report(server, devices)).body.received).toBe(500)
    expect(await countStored(server, 'devices')).toEqual([500])
    for (const wrong of [[], [...devices, item('more')]]) {
      const message = expectError(await report(server, wrong), 400)
      expect(message).toBe('devices: must hold 1 to 500 devices')
    }
  })
})

describe('a report that is refused', () => {
  test('names the invalid member, and stores none of its items', async () => {
    const server = await startWithApp()
    const refusals: readonly (readonly [devices: unknown, message: RegExp | string])[] = [
      [[item('a'), item('b', { version: 'one' })], /^devices\.1\.version: must be a semantic/],
      [[item('a'), { version: '1.0.0' }], 'devices.1.deviceId: is required'],
      [[item('a'), item('b', { arch: 'a b' })], /^devices\.1\.arch: /],
      [[item('a'), item('b', { labels: numbered(65) })], /^devices\.1\.labels: .*64 labels/],
      [[item('a', { labels: { ring: 'x'.repeat(257) } })], /^devices\.0\.labels\.ring: .*256/],
    ]
    for (const [devices, message] of refusals) {
      const answer = await server.call('POST', REPORT, { body: { app: 'editor', devices } })
      expect(expectError(answer, 400)).toMatch(message)
    }
    await server.fleet.settled()
    expect(await countStored(server, 'devices')).toEqual([0])
    expect(await runningOn(server, 'a')).toBeUndefined()
  })

  test('because a device would have more than 64 labels in all stores nothing', async () => {
    const server = await startWithApp()
    await report(server, [item('one', { labels: numbered(64) })])
    const full = await labelsOf(server, 'one')
    const one = item('one', { version: '2.0.0', labels: { late: 'x' } })
    for (const call of [report, plan]) {
      const message = expectError(await call(server, [item('two'), one]), 400)
      expect(message).toBe('devices.1.labels: exceeds the limit of 64 labels per device')
    }
    expect(await labelsOf(server, 'one')).toEqual(full)
    expect(await runningOn(server, 'one')).toMatchObject({ version: '1.0.0' })
    expect(await runningOn(server, 'two')).toBeUndefined()
    // Over two items of one call, too.
    const halves = [
      item('three', { labels: numbered(40, 'a') }),
      item('three', { labels: numbered(40, 'b') }),
    ]
    expectError(await report(server, halves), 400)
    expect(await runningOn(server, 'three')).toBeUndefined()
    const swap = item('one', { labels: { k0: '', late: 'x' } })
    expect((await report(server, [swap])).status).toBe(200)
  })

  test('names an unknown app and an unknown member', async () => {
    const server = await startWithApp()
    const refused = async (members: Record<string, unknown>, status: number) =>
      expectError(await report(server, [item('one')], members), status)
    expect(await refused({ app: 'player' }, 404)).toBe('unknown app "player"')
    expect(await refused({ app: undefined }, 400)).toBe('app: is required')
    expect(await refused({ channel: 'beta' }, 400)).toBe('channel: is not a known member')
  })
})

test('the counters of a busy server agree with a recount of its check-ins', async () => {
  const server = await startWithApp()
  await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
  await publish(server, '1.1.0')
  await publish(server, '2.0.0', { channel: 'beta', rolloutPct: 50 })
  const versions = ['1.0.0', '1.0.1', '1.1.0', '2.0.0']
  const deviceOf = (number: number) => `device-${number % 37}`
  const calls = Array.from({ length: 240 }, (_, at) => async () => {
    const version = versions[(at * 7) % versions.length] ?? ''
    const channel = at % 4 === 0 ? 'beta' : 'stable'
    if (at % 6 === 0)
      await report(server, [item(deviceOf(at), { version }), item(deviceOf(at * 3))])
    else if (at % 6 === 1) await plan(server, [item(deviceOf(at), { version })], { channel })
    else if (at % 6 === 2) await offeredTo(server, version, { channel })
    else await offeredTo(server, version, { device: deviceOf(at * 5), channel })
  })
  // Sixteen at a time, as devices do not wait for each other.
  while (calls.length > 0) await Promise.all(calls.splice(0, 16).map((call) => call()))
  await server.stop()
  expect(await countStored(server, 'check_ins')).toEqual([280])
  // That of PostgreSQL is in the tests of its telemetry.
  if (isOnPostgres) return
  const database = connectTo(server)
  expect(storedCounters(database)).toEqual(recountedCounters(database))
})
