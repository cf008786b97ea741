import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { historyIssues } from '../../../../src/server/storage/sqlite/backup/doctor.ts'
import { deviceWithin, item } from '../../../support/builders/devices.ts'
import { artifact, publishBody } from '../../../support/builders/releases.ts'
import { storedCounters } from '../../../support/check-in-log/counters.ts'
import { auditOf, publish, serve } from '../../../support/servers/calls.ts'
import { failureOf, startConsole } from '../../../support/servers/console.ts'
import { connectTo } from '../../../support/servers/database.ts'
import { isOnPostgres, storedTables } from '../../../support/servers/engine.ts'
import { offeredTo, report } from '../../../support/servers/fleet-calls.ts'

const WHOLE = { app: 'editor' }

test('lists the devices of an app as they were last seen, newest first', async () => {
  const { server, console } = await startConsole()
  await report(server, [item('a'), item('b', { version: '1.1.0', labels: { ring: 'early' } })])
  await report(server, [item('a', { version: '1.2.0', platform: 'macos' })])
  const { devices, total, known, offset, previous, next, choices } =
    await console.devices.list(WHOLE)
  expect(devices.map(({ deviceId }) => deviceId)).toEqual(['a', 'b'])
  expect(devices[1]).toMatchObject({
    ...{ channel: 'stable', version: '1.1.0', platform: 'darwin', arch: 'aarch64' },
    labels: { ring: 'early' },
  })
  expect({ total, known, offset, previous, next }).toEqual({
    ...{ total: 2, known: 2, offset: 0, previous: null, next: null },
  })
  expect(choices).toEqual({
    versions: ['1.2.0', '1.1.0'],
    platforms: ['darwin'],
    arches: ['aarch64'],
  })
})

test('narrows by what became of the devices that were offered a release', async () => {
  const { server, console } = await startConsole()
  await publish(server, '2.0.0')
  for (const device of ['a', 'b', 'c']) await offeredTo(server, '1.0.0', { device })
  await offeredTo(server, '2.0.0', { device: 'b' })
  const detail = { version: '2.0.0', outcome: 'failed', detail: 'No space left' }
  await report(server, [item('c', { version: '1.0.0', outcome: detail })])
  const ids = async (state: 'waiting' | 'adopted' | 'reported' | 'failed' | 'stuck') => {
    const health = { channel: 'stable', version: '2.0.0', state }
    const { devices } = await console.devices.list({ ...WHOLE, health })
    return devices.map(({ deviceId }) => deviceId)
  }
  expect(await ids('waiting')).toEqual(['a'])
  expect(await ids('adopted')).toEqual(['b'])
  expect(await ids('reported')).toEqual(['c'])
  expect(await ids('failed')).toEqual(['c'])
  expect(await ids('stuck')).toEqual([])
  const unknown = { channel: 'stable', version: '9.0.0', state: 'failed' } as const
  expect(await failureOf(console.devices.list({ ...WHOLE, health: unknown }))).toMatchObject({
    code: 'unknown',
  })
  const { events } = await console.devices.timeline({ app: 'editor', deviceId: 'c' })
  expect(events.map(({ kind, version }) => [kind, version])).toEqual([
    ['reported', '2.0.0'],
    ['outcome', '2.0.0'],
  ])
  expect(events[1]).toMatchObject({ outcome: 'failed', detail: 'No space left' })
})

test('narrows by channel, version, platform, day, device id and label', async () => {
  const { server, console } = await startConsole()
  await console.channels.create({ app: 'editor', name: 'beta' })
  await report(server, [
    item('pc-1', { platform: 'win32', arch: 'x64', labels: { ring: 'early', site: 'Graz' } }),
    item('pc-2', { version: '1.1.0', labels: { ring: 'late' } }),
  ])
  await offeredTo(server, '2.0.0', { device: 'mac', channel: 'beta' })
  await server.fleet.settled()
  const ids = async (input: object) =>
    (
      await console.devices.list({ ...WHOLE, sort: 'deviceId', order: 'asc', ...input })
    ).devices.map(({ deviceId }) => deviceId)
  expect(await ids({})).toEqual(['mac', 'pc-1', 'pc-2'])
  expect(await ids({ order: 'desc' })).toEqual(['pc-2', 'pc-1', 'mac'])
  expect(await ids({ channel: 'beta' })).toEqual(['mac'])
  expect(await ids({ version: 'v1.1.0' })).toEqual(['pc-2'])
  expect(await ids({ platform: 'windows', arch: 'amd64' })).toEqual(['pc-1'])
  expect(await ids({ seen: '24h' })).toEqual(['mac', 'pc-1', 'pc-2'])
  expect(await ids({ search: ' pc ' })).toEqual(['pc-1', 'pc-2'])
  expect(await ids({ search: 'ring=early' })).toEqual(['pc-1'])
  expect(await ids({ search: 'ring=' })).toEqual(['pc-1', 'pc-2'])
  expect(await ids({ search: 'no such device' })).toEqual([])
  expect(await ids({ search: 'constructor=' })).toEqual([])
})

test('pages by cursor, in both directions', async () => {
  const { server, console } = await startConsole()
  const names = Array.from({ length: 120 }, (_, at) => `d-${String(at).padStart(3, '0')}`)
  await report(
    server,
    names.map((name) => item(name)),
  )
  for (const sort of ['lastSeen', 'firstSeen', 'deviceId', 'version'] as const) {
    const asked = { ...WHOLE, sort, order: 'asc' } as const
    const first = await console.devices.list(asked)
    const second = await console.devices.list({ ...asked, cursor: first.next ?? '' })
    const third = await console.devices.list({ ...asked, cursor: second.next ?? '' })
    const found = [first, second, third].flatMap(({ devices }) => devices)
    expect(found.map(({ deviceId }) => deviceId)).toEqual(names)
    expect(third.next).toBeNull()
    const back = { ...asked, cursor: third.previous ?? '', direction: 'previous' } as const
    expect((await console.devices.list(back)).devices).toEqual(second.devices)
  }
})

test('names the problem of an invalid query', async () => {
  const { server, console } = await startConsole()
  await report(server, [item('a')])
  const refused = async (input: object) =>
    await failureOf(console.devices.list({ ...WHOLE, ...input }), input)
  expect((await refused({ version: 'one' })).message).toMatch(
    /^Version: must be a semantic version/,
  )
  expect((await refused({ seen: 'now' })).message).toMatch(/^Seen: must be one of/)
  expect((await refused({ search: 'x'.repeat(400) })).message).toMatch(/^Search: must be at most/)
  expect((await refused({ cursor: 'x' })).message).toMatch(/^Cursor: belongs to a different list/)
  expect((await refused({ cursor: '1.x', sort: 'version' })).message).toMatch(/^Cursor: /)
  expect(await refused({ app: 'nope' })).toMatchObject({ code: 'unknown' })
  expect(await refused({ channel: 'nope' })).toMatchObject({ code: 'unknown' })
  const stranger = { app: 'editor', deviceId: 'stranger' }
  const unknown = { code: 'unknown', message: 'Unknown device "stranger" of app "editor".' }
  expect(await failureOf(console.devices.get(stranger))).toEqual(unknown)
  expect(await failureOf(console.devices.checkIns(stranger))).toEqual(unknown)
  expect(await failureOf(console.devices.explain(stranger))).toEqual(unknown)
})

test('shows a device with its version history, and its check-ins page by page', async () => {
  const { server, console } = await startConsole()
  const device = 'device-1'
  const place = { app: 'editor', deviceId: device }
  await console.releases.publish(publishBody('1.2.0'))
  await report(server, [item(device, { labels: { ring: 'early' } }), item('another')])
  for (let times = 0; times < 22; times++) await offeredTo(server, '1.1.0', { device })
  await offeredTo(server, '1.2.0', { device })

  const detail = await console.devices.get(place)
  expect(detail).toMatchObject({
    ...{ app: 'editor', deviceId: device, channel: 'stable', version: '1.2.0' },
    ...{ labels: { ring: 'early' }, moreHistory: false, keepCheckInDays: 90 },
  })
  expect(detail.history.map(({ version }) => version)).toEqual(['1.2.0', '1.1.0', '1.0.0'])
  expect(detail.history.at(-1)?.at).toBe(detail.firstSeen)

  const newest = await console.devices.checkIns(place)
  expect(newest.checkIns).toHaveLength(20)
  expect(newest.checkIns.slice(0, 2)).toMatchObject([
    { source: 'check', reason: 'up_to_date', channel: 'stable', version: '1.2.0' },
    { source: 'check', reason: 'update', version: '1.1.0' },
  ])
  const older = await console.devices.checkIns({ ...place, from: newest.older ?? 0 })
  expect(older.checkIns).toHaveLength(4)
  expect(older.checkIns.at(-1)).toMatchObject({ source: 'report', reason: null, version: '1.0.0' })
  expect(older.older).toBeNull()
  const ids = [...newest.checkIns, ...older.checkIns].map(({ id }) => id)
  expect(ids).toEqual([...ids].sort((a, b) => b - a))
  // The id of another device's check-in leads nowhere.
  const other = await console.devices.checkIns({ app: 'editor', deviceId: 'another' })
  const foreign = { ...place, from: other.checkIns[0]?.id ?? 0 }
  const found = (await console.devices.checkIns(foreign)).checkIns
  expect(found.every(({ version }) => version !== undefined)).toBe(true)
  expect(found.map(({ id }) => id)).not.toContain(foreign.from)
})

test('explains the decision for a device, and a hypothetical one', async () => {
  const { server, console } = await startConsole()
  const place = { app: 'editor', deviceId: 'a' }
  await console.channels.create({ app: 'editor', name: 'beta' })
  await console.releases.publish(publishBody('1.1.0'))
  await console.releases.publish(publishBody('1.2.0', { rolloutPct: 0 }))
  await console.releases.publish(
    publishBody('1.3.0', { targets: { matchLabels: { ring: 'internal' } } }),
  )
  await console.releases.publish(publishBody('1.4.0', { artifacts: [] }))
  await console.releases.publish(publishBody('1.5.0'))
  const stable = { app: 'editor', channel: 'stable' }
  await console.releases.changeServing({ ...stable, version: '1.5.0', status: 'paused' })
  await report(server, [item('a', { labels: { ring: 'early' } })])

  expect(await console.devices.explain(place)).toEqual({
    ...{ app: 'editor', channel: 'stable', version: '1.0.0', assumed: false },
    ...{ platform: 'darwin', arch: 'aarch64', bundle: '' },
    reason: 'update',
    hasPublished: true,
    offer: { version: '1.1.0', updateMode: 'optional', allowDowngrade: false },
    candidates: [
      {
        ...{ version: '1.4.0', outcome: 'no_artifact', platform: 'darwin', arch: 'aarch64' },
        ...{ bundle: '', kinds: [] },
      },
      {
        version: '1.3.0',
        outcome: 'not_targeted',
        condition: {
          ...{ code: 'mismatch', key: 'ring', value: 'early' },
          ...{ operator: 'In', values: ['internal'], moreValues: 0 },
        },
      },
      {
        version: '1.2.0',
        outcome: 'outside_cohort',
        rollout: { percent: 0, bucket: expect.closeTo(0.5, 0), admission: null },
      },
      {
        ...{ version: '1.1.0', outcome: 'offered' },
        rollout: { percent: 100, bucket: null, admission: null },
      },
    ],
    moreCandidates: 0,
    notes: [{ code: 'not_served', version: '1.5.0', status: 'paused' }],
  })
  expect(await console.devices.explain({ ...place, bundle: 'DMG' })).toMatchObject({
    ...{ assumed: true, bundle: 'dmg', reason: 'update' },
  })
  const other = await console.devices.explain({ ...place, channel: 'beta', version: 'v3.0.0' })
  expect(other).toMatchObject({
    ...{ channel: 'beta', version: '3.0.0', assumed: true, reason: 'no_release', offer: null },
    hasPublished: false,
  })
  // Nothing of it was an offer, nor a check-in.
  expect((await console.devices.checkIns(place)).checkIns).toHaveLength(1)
  const { release } = await console.releases.get({ ...stable, version: '1.1.0' })
  expect(release.offered).toBe(false)
})

test('explains that a device runs a system that is too old, or one that cannot be compared', async () => {
  const { server, console } = await startConsole()
  const place = { app: 'editor', deviceId: 'a' }
  const needs = (minimumSystemVersion: string) => ({
    artifacts: [artifact({ minimumSystemVersion })],
  })
  await console.releases.publish(publishBody('1.1.0', needs('13.0')))
  await console.releases.publish(publishBody('1.2.0', needs('23.4.0')))
  await report(server, [item('a', { labels: { os: '13.6.7' } })])
  expect(await console.devices.explain(place)).toMatchObject({
    offer: { version: '1.1.0' },
    candidates: [
      { version: '1.2.0', outcome: 'system_too_old', floor: '23.4.0', system: '13.6.7' },
      { version: '1.1.0', outcome: 'offered' },
    ],
    notes: [],
  })
  await report(server, [item('a', { labels: { os: '12.1' } })])
  expect(await console.devices.explain(place)).toMatchObject({
    reason: 'system_too_old',
    offer: null,
  })
  await report(server, [item('a', { labels: { os: 'Ventura' } })])
  expect(await console.devices.explain(place)).toMatchObject({
    offer: { version: '1.2.0' },
    notes: [{ code: 'system_unreadable', system: 'Ventura' }],
  })
  expect(await console.devices.explain({ ...place, system: '12.1' })).toMatchObject({
    ...{ reason: 'system_too_old', assumed: true },
    candidates: [{ system: '12.1' }, { system: '12.1' }],
  })
  expect(await console.devices.explain({ ...place, client: 'squirrel_mac' })).toMatchObject({
    ...{ reason: 'no_artifact', assumed: true },
    candidates: [{ client: 'squirrel_mac' }, { client: 'squirrel_mac' }],
  })
})

test('explains why a device on a rolled-back version is downgraded or not', async () => {
  const { server, console } = await startConsole()
  const place = { app: 'editor', deviceId: 'a' }
  await console.releases.publish(publishBody('1.0.0'))
  await console.releases.publish(publishBody('1.1.0'))
  await serve(server, '1.1.0', { status: 'rolled_back' })
  await report(server, [item('a', { version: '1.1.0' }), item('b', { version: '1.1.0+b7' })])
  expect(await console.devices.explain({ ...place, deviceId: 'b' })).toMatchObject({
    reason: 'up_to_date',
    notes: [{ code: 'other_build_rolled_back', version: '1.1.0' }],
  })
  const rolledBack = { code: 'version_rolled_back', rollback: 'downgrade' }
  const below = { code: 'below_minimum', minimumSupported: '1.2.0' }
  const minimum = { minimumSupportedVersion: '1.2.0' }
  await console.channels.setPolicy({ app: 'editor', channel: 'stable', policy: minimum })
  expect(await console.devices.explain(place)).toMatchObject({
    reason: 'rollback',
    offer: { version: '1.0.0', updateMode: 'required', allowDowngrade: true },
    notes: [rolledBack, below],
  })
  await serve(server, '1.0.0', { status: 'rolled_back' })
  await console.releases.publish(publishBody('1.2.0'))
  expect(await console.devices.explain(place)).toMatchObject({
    reason: 'no_release',
    offer: null,
    hasPublished: true,
    notes: [rolledBack, below],
  })
  const policy = { rollback: 'roll-forward', minimumSupportedVersion: '0.0.0' } as const
  await console.channels.setPolicy({ app: 'editor', channel: 'stable', policy })
  expect(await console.devices.explain(place)).toMatchObject({
    reason: 'update',
    notes: [{ code: 'version_rolled_back', rollback: 'roll-forward' }],
  })
})

test('a device is forgotten: nothing of it is left, the rest is as it was, and it comes back new', async () => {
  const { server, console } = await startConsole()
  const [gone, stays] = [{ device: 'gone-1' }, { device: 'stays' }]
  await offeredTo(server, '1.0.0', { ...gone, query: '?l.ring=beta' })
  await offeredTo(server, '1.1.0', gone)
  await offeredTo(server, '1.0.0', stays)
  await server.fleet.settled()
  const database = isOnPostgres ? undefined : connectTo(server)
  const adopted = database && storedCounters(database).adoption
  const before = await console.devices.get({ app: 'editor', deviceId: 'gone-1' })

  const place = { app: 'editor', deviceId: 'gone-1' }
  expect(await console.devices.forget(place)).toEqual(place)
  for (const [table, text] of await storedTables(server.folder)) {
    expect(text, table).not.toContain('gone-1')
  }
  if (database !== undefined) {
    expect(Object.values(storedCounters(database).presence)).toEqual([1])
    expect(storedCounters(database).adoption).toEqual(adopted)
    expect(historyIssues(database)).toEqual([])
  }
  expect(await failureOf(console.devices.get(place))).toMatchObject({ code: 'unknown' })
  expect(await failureOf(console.devices.forget(place))).toMatchObject({ code: 'unknown' })
  const [entry] = await auditOf(server, 'device.forgotten')
  const deviceIdSha256 = createHash('sha256').update('gone-1').digest('hex')
  expect(entry).toMatchObject({
    ...{ app: 'editor', before: { deviceIdSha256 }, after: null },
    actor: { kind: 'console' },
  })

  await offeredTo(server, '1.2.0', gone)
  const after = await console.devices.get(place)
  expect(after).toMatchObject({ version: '1.2.0', labels: {} })
  expect(after.history).toHaveLength(1)
  expect(Date.parse(after.firstSeen)).toBeGreaterThan(Date.parse(before.lastSeen))
  expect(await console.devices.checkIns(place)).toMatchObject({ checkIns: [{ version: '1.2.0' }] })
})

test('a device that is forgotten and back is in the same rollouts as before', async () => {
  const { server, console } = await startConsole()
  const { id } = await publish(server, '2.0.0', { rolloutPct: 50 })
  const [inside, outside] = [deviceWithin(id, 0, 0.5), deviceWithin(id, 0.5, 1)]
  for (const forgotten of [false, true]) {
    for (const [device, offer] of [[inside, '2.0.0'] as const, [outside, null] as const]) {
      if (forgotten) await console.devices.forget({ app: 'editor', deviceId: device })
      expect(await offeredTo(server, '1.0.0', { device })).toBe(offer)
      await server.fleet.settled()
    }
  }
})
