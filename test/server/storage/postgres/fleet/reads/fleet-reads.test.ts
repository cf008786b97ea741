// @module-tag postgresql

import { expect, test } from 'vitest'
import { ADOPTED, STUCK } from '../../../../../../src/server/fleet/health/episode.ts'
import { dayName, dayOf, days, hourOf } from '../../../../../../src/server/fleet/time.ts'
import { fleetReads } from '../../../../../../src/server/storage/postgres/fleet/reads/fleet-reads.ts'
import { insert, openDatabase } from '../open-database.ts'
import {
  APP,
  CHANNELS,
  lastInSteps,
  lastOf,
  NOW,
  OTHER_APP,
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
  const reads = fleetReads(database)
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
  const reads = fleetReads(database)
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

test('the health of releases is the sum over nodes, and devices are silent by the hour', async () => {
  const database = await openDatabase()
  const reads = fleetReads(database)
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
})
