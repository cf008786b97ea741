// @module-tag postgresql

import { expect, test } from 'vitest'
import { ADOPTED, STUCK } from '../../../../../../src/server/fleet/health/episode.ts'
import { dayName, dayOf, days, hourOf } from '../../../../../../src/server/fleet/time.ts'
import { PostgresFleetReads } from '../../../../../../src/server/storage/postgres/fleet/reads/fleet-reads.ts'
import { insert, openDatabase } from '../open-database.ts'
import {
  APP,
  CHANNELS,
  HOUR,
  lastInSteps,
  lastOf,
  NOW,
  OTHER_APP,
  PROFILES,
  type SeededCheckIn,
  seedFleet,
  storeProfiles,
  tally,
} from '../seeded-fleet.ts'

const TODAY = dayOf(NOW)

const nameOf = (channelKey: number) => CHANNELS.find(({ key }) => key === channelKey)?.name
const versionOf = ({ profile }: SeededCheckIn) => `${nameOf(profile.channelKey)} ${profile.version}`
const nonzero = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))

test('devices and check-ins are counted as a recount of the log does', async () => {
  const database = await openDatabase()
  const reads = new PostgresFleetReads(database)
  const log = await seedFleet(database)
  for (const app of [APP, OTHER_APP]) {
    const own = log.filter((checkIn) => checkIn.app === app)
    const last = [...lastOf(own).values()]
    const presence = await reads.presence(app, TODAY)
    const since = (back: number) =>
      tally(
        last.filter(({ at }) => dayOf(at) >= TODAY - back),
        versionOf,
      )
    const read = (column: 'devices' | 'seenToday' | 'seenLast7Days' | 'seenLast30Days') =>
      nonzero(Object.fromEntries(presence.map((p) => [`${p.channel} ${p.version}`, p[column]])))
    expect(read('devices')).toEqual(tally(last, versionOf))
    expect(read('seenToday')).toEqual(since(0))
    expect(read('seenLast7Days')).toEqual(since(6))
    expect(read('seenLast30Days')).toEqual(since(29))
    expect(presence.every(({ devices }) => devices > 0)).toBe(true)

    const adoption = await reads.adoption(app, TODAY - 5, TODAY - 1)
    const days = lastInSteps(own, 'day').filter((c) => c.step >= TODAY - 5 && c.step < TODAY)
    expect(
      Object.fromEntries(adoption.map((c) => [`${c.day} ${c.channel} ${c.version}`, c.devices])),
    ).toEqual(tally(days, (c) => `${dayName(c.step)} ${versionOf(c)}`))
    expect(adoption.map(({ day }) => day)).toEqual(adoption.map(({ day }) => day).toSorted())

    const hour = hourOf(NOW)
    const recent = own.filter(({ at }) => hourOf(at) >= hour - 24)
    const traffic = await reads.traffic(app, hour)
    expect(Object.fromEntries(traffic.map((t) => [t.channel, t.checkIns]))).toEqual({
      ...Object.fromEntries(CHANNELS.filter((c) => c.app === app).map((c) => [c.name, 0])),
      ...tally(recent, ({ profile }) => String(nameOf(profile.channelKey))),
    })
  }
  const channelOf = ({ profile }: SeededCheckIn) => String(profile.channelKey)
  const recent = log.filter(({ at }) => hourOf(at) >= hourOf(NOW) - 24)
  const totals = await reads.channelTotals(hourOf(NOW))
  expect(totals.map(({ channelKey }) => channelKey)).toEqual([1, 2, 3])
  const of = (column: 'devices' | 'checkIns') =>
    nonzero(Object.fromEntries(totals.map((total) => [total.channelKey, total[column]])))
  expect(of('devices')).toEqual(tally(lastOf(log).values(), channelOf))
  expect(of('checkIns')).toEqual(tally(recent, channelOf))
  const onPlatforms = await reads.platformsOn(1, '1.1.0')
  expect(Object.fromEntries(onPlatforms.map((p) => [p.platform, p.devices]))).toEqual(
    tally(
      [...lastOf(log).values()].filter((c) => versionOf(c) === 'stable 1.1.0' && c.app === APP),
      ({ profile }) => profile.platform,
    ),
  )
})

test.each(['hour', 'day'] as const)('charts by the %s show what a recount shows', async (unit) => {
  const database = await openDatabase()
  const reads = new PostgresFleetReads(database)
  const log = await seedFleet(database)
  const to = unit === 'hour' ? hourOf(NOW) : TODAY
  const span = { unit, from: to - 6, to }
  const beta = { key: 2, name: 'beta' }
  for (const channel of [null, beta]) {
    const query = { appKey: APP, app: 'app-1', channel, span, today: TODAY, marksFrom: '' }
    const { adoption, traffic, versions } = await reads.charts(query)
    const own = log.filter(({ app, profile }) => {
      return app === APP && (channel === null || profile.channelKey === channel.key)
    })
    const inSpan = lastInSteps(
      log.filter(({ app }) => app === APP),
      unit,
    ).filter(({ step, profile }) => {
      const isShown = channel === null || profile.channelKey === channel.key
      return isShown && step >= span.from && step <= to
    })
    const shown = adoption.bands.flatMap(({ version, devices }) =>
      devices.map((count, at) => [`${version} ${span.from + at}`, count] as const),
    )
    expect(nonzero(Object.fromEntries(shown))).toEqual(
      tally(inSpan, ({ profile, step }) => `${profile.version} ${step}`),
    )
    const stepOf = unit === 'hour' ? hourOf : dayOf
    expect(Object.fromEntries(traffic.map((t) => [t.step, t.checkIns]))).toEqual(
      tally(
        own.filter(({ at }) => stepOf(at) >= span.from),
        ({ at }) => String(stepOf(at)),
      ),
    )
    expect(new Set(versions.map((version) => version.channel))).toEqual(
      new Set(channel === null ? ['stable', 'beta'] : ['beta']),
    )
  }
})

test('charts have the changes of what is served, the newest first', async () => {
  const database = await openDatabase()
  await storeProfiles(database)
  const entry = (at: string, action: string, channel = 'stable', app = 'app-1') => {
    return [at, 'console', 'me', action, app, channel, '1.0.0', '{"a":1}', at.length]
  }
  const columns = 'at, actor_kind, actor_name, action, app, channel, version, before, after'
  await insert(database, 'audit', columns, [
    entry('2026-03-01', 'release.published'),
    entry('2026-03-02', 'release.published'),
    entry('2026-03-04', 'release.serving_changed', 'beta'),
    entry('2026-03-03', 'release.serving_changed'),
    entry('2026-03-03', 'channel.created'),
    entry('2026-03-03', 'release.published', 'stable', 'app-2'),
  ])
  const reads = new PostgresFleetReads(database)
  const span = { unit: 'day', from: TODAY, to: TODAY } as const
  const query = { appKey: APP, app: 'app-1', span, today: TODAY, marksFrom: '2026-03-02' }
  const { changes } = await reads.charts({ ...query, channel: null })
  expect(changes.map(({ at }) => at)).toEqual(['2026-03-04', '2026-03-03', '2026-03-02'])
  expect(changes[0]).toEqual({
    ...{ at: '2026-03-04', channel: 'beta', version: '1.0.0', action: 'release.serving_changed' },
    ...{ before: '{"a":1}', after: '10' },
  })
  const stable = await reads.charts({ ...query, channel: { key: 1, name: 'stable' } })
  expect(stable.changes.map(({ at }) => at)).toEqual(['2026-03-03', '2026-03-02'])
})

test('a device has its profile, its labels and its times', async () => {
  const database = await openDatabase()
  const reads = new PostgresFleetReads(database)
  const log = await seedFleet(database)
  await insert(database, 'device_labels', 'device, labels', [[1, { ring: 'beta' }]])
  for (const newest of lastOf(log).values()) {
    const { app, deviceId, profile, device } = newest
    const { id: _id, app: _app, ...installed } = profile
    expect(await reads.device(app, deviceId)).toEqual({
      ...{ appKey: app, deviceId, profile: installed, lastSeen: newest.at },
      firstSeen: log.find((checkIn) => checkIn.device === device)?.at,
      labels: device === 1 ? { ring: 'beta' } : {},
    })
  }
  expect(await reads.device(APP, 'nobody')).toBeUndefined()
})

test('the health of releases is the sum over nodes, and devices are silent by the hour', async () => {
  const database = await openDatabase()
  const reads = new PostgresFleetReads(database)
  await storeProfiles(database)
  const offeredAt = NOW - days(2)
  await insert(
    database,
    'offered_releases',
    'number, release_id, channel_key, version, offered_at',
    [
      [1, 'one', 1, '1.0.0', offeredAt],
      [2, 'two', 1, '1.1.0', offeredAt + 1],
      [3, 'other', 2, '1.0.0', offeredAt],
    ],
  )
  const hour = hourOf(NOW)
  const [over, due] = [hour - 1, hour + 5]
  await insert(database, 'release_counts', 'release, cell, slot, devices', [
    ...[
      [1, ADOPTED, 1, 5],
      [1, ADOPTED, 2, -2],
      [1, ADOPTED, 0, 1],
    ],
    ...[
      [1, STUCK, 1, -1],
      [1, STUCK, 2, 1],
    ],
    ...[
      [1, over, 1, 2],
      [1, due, 2, 3],
      [2, STUCK, 0, 7],
    ],
  ])
  const busy = Array.from({ length: 60 }, (_, back) => [1, hour - back, 1, 1, 0, 0])
  await insert(database, 'traffic', 'channel_key, hour, slot, check_ins, anonymous, offers', busy)
  const one = await reads.releaseHealth('one', NOW)
  expect(one).toMatchObject({ id: 'one', channelKey: 1, version: '1.0.0', offeredAt })
  expect(one?.health).toMatchObject({ adopted: 4, stuck: 0, silent: 2, waiting: 3, offered: 9 })
  const two = await reads.releaseHealth('two', NOW)
  expect(two?.health).toMatchObject({ stuck: 7, offered: 7 })
  expect(await reads.releaseHealth('none', NOW)).toBeNull()
  const query = { channelKey: 1, now: NOW, limit: 5 }
  expect(await reads.channelHealth(query)).toEqual([two, one])
  expect(await reads.channelHealth({ ...query, limit: 1 })).toEqual([two])
  // Hours without any check-in do not count.
  await database.run('DELETE FROM traffic')
  expect((await reads.releaseHealth('one', NOW))?.health).toMatchObject({ silent: 0, waiting: 5 })

  const samples = 'release, age, waiting, adopted, stuck, reverted, silent, reported'
  await insert(database, 'health_samples', samples, [
    [1, 3, 1, 2, 3, 4, 5, 6],
    [1, 7, 1, 0, 0, 0, 0, 0],
  ])
  expect(await reads.healthAt('one', 6)).toMatchObject({ waiting: 1, reported: 6, offered: 21 })
  expect(await reads.healthAt('one', 7)).toMatchObject({ offered: 1 })
  expect(await reads.healthAt('one', 2)).toBeNull()
  expect(await reads.healthAt('none', 6)).toBeNull()

  const facts = 'id, app_key, device_id, profile, first_seen, last_seen, last_check_in, last_change'
  const profile = PROFILES[0]?.id
  await insert(database, 'devices', facts, [[9, APP, 'nine', profile, 1, 1, 1, 1]])
  await insert(database, 'outcome_details', 'release, check_in, device, at, detail', [
    [1, 20, 9, NOW - HOUR, 'older'],
    [1, 10, 9, NOW, 'newer'],
    [2, 10, 9, NOW, 'of another'],
  ])
  expect(await reads.outcomeDetails('one', 5)).toEqual([
    { deviceId: 'nine', at: NOW, detail: 'newer' },
    { deviceId: 'nine', at: NOW - HOUR, detail: 'older' },
  ])
  expect(await reads.outcomeDetails('one', 1)).toHaveLength(1)
})
