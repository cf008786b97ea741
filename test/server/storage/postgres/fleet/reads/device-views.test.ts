// @module-tag postgresql

import { expect, test } from 'vitest'
import { ADOPTED } from '../../../../../../src/server/fleet/health/episode.ts'
import {
  packProgress,
  packStage,
} from '../../../../../../src/server/fleet/health/packed-episode.ts'
import { deviceViews } from '../../../../../../src/server/storage/postgres/fleet/reads/device-views.ts'
import { dropPartitions } from '../../../../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import {
  kindOf,
  withStage,
} from '../../../../../../src/server/storage/shared/ingest/check-in-kind.ts'
import { insert, openDatabase } from '../open-database.ts'
import {
  APP,
  isChange,
  lastOf,
  NOW,
  OTHER_APP,
  type SeededCheckIn,
  type SeededProfile,
  seedFleet,
} from '../seeded-fleet.ts'

const shown = ({ id: _id, app: _app, ...profile }: SeededProfile) => profile

const DAY = 86_400_000

test('histories and check-ins of a device are read from the newest back', async () => {
  const database = await openDatabase()
  const views = deviceViews(database)
  const log = await seedFleet(database)
  for (const { app: appKey, device, deviceId } of [...lastOf(log).values()].slice(0, 6)) {
    const name = { appKey, deviceId }
    const own = log.filter((checkIn) => checkIn.device === device).toReversed()
    const changes = own.filter((checkIn) => isChange(log, checkIn))
    const history = changes.map(({ at, profile }) => ({ at, profile: shown(profile) }))
    expect(await views.history(name, 100)).toEqual(history)
    expect(await views.history(name, 2)).toEqual(history.slice(0, 2))
    const idsOf = async (from: number | undefined, limit: number) =>
      (await views.checkIns(name, from, limit)).map(({ id }) => id)
    const ids = own.map(({ id }) => id)
    expect(await idsOf(undefined, 1_000)).toEqual(ids)
    expect(await idsOf(undefined, 3)).toEqual(ids.slice(0, 3))
    expect(await idsOf(ids[5], 3)).toEqual(ids.slice(5, 8))
    expect(await idsOf(undefined, 0)).toEqual([])
  }
  const [first, second] = [...lastOf(log).values()]
  const strange = { appKey: first?.app ?? 0, deviceId: first?.deviceId ?? '' }
  expect(await views.checkIns(strange, second?.id, 3)).toEqual([])
  expect(await views.history({ appKey: APP, deviceId: 'nobody' }, 3)).toEqual([])
  expect(await views.checkIns({ appKey: APP, deviceId: 'nobody' }, undefined, 3)).toEqual([])
})

test('check-ins end where older ones were dropped', async () => {
  const database = await openDatabase()
  const views = deviceViews(database)
  const log = await seedFleet(database)
  const before = Math.floor(NOW / DAY) * DAY - 2 * DAY
  await dropPartitions(database, before)
  for (const { app: appKey, device, deviceId } of [...lastOf(log).values()].slice(0, 12)) {
    const left = log.filter((checkIn) => checkIn.device === device && checkIn.at >= before)
    const read = await views.checkIns({ appKey, deviceId }, undefined, 1_000)
    expect(read.map(({ id }) => id)).toEqual(left.map(({ id }) => id).toReversed())
  }
})

test('a check-in tells its source, its release and what was reported', async () => {
  const database = await openDatabase()
  const views = deviceViews(database)
  const log = await seedFleet(database)
  const newest = log.at(-1) as SeededCheckIn
  const name = { appKey: newest.app, deviceId: newest.deviceId }
  const stage = packStage(5, packProgress(ADOPTED, 1, 0))
  const kind = withStage(kindOf('outcome', null, 'ok'), stage)
  await database.run('UPDATE check_ins SET kind = $1 WHERE id = $2', [kind, newest.id])
  const [unknown] = await views.checkIns(name, undefined, 1)
  expect(unknown?.episode).toEqual({ release: 5, version: null, state: 'adopted' })
  const release = 'number, release_id, channel_key, version, offered_at'
  await insert(database, 'offered_releases', release, [[5, 'five', 1, '5.0.0', 1]])
  const detail = 'release, check_in, device, at, detail'
  await insert(database, 'outcome_details', detail, [[5, newest.id, newest.device, 1, 'It works']])
  const [told, before] = await views.checkIns(name, undefined, 2)
  expect(told).toEqual({
    ...{ id: newest.id, at: newest.at, profile: shown(newest.profile), detail: 'It works' },
    ...{ source: 'outcome', reason: null, outcome: 'ok' },
    episode: { release: 5, version: '5.0.0', state: 'adopted' },
  })
  expect(before).toMatchObject({ source: 'check', episode: null, detail: '' })
  await database.run('DELETE FROM profiles WHERE id = $1', [newest.profile.id])
  expect((await views.checkIns(name, undefined, 1))[0]?.profile).toBeNull()
  expect((await views.history(name, 50)).some(({ profile }) => profile === null)).toBe(true)
})

test('devices are found by the beginning of their id in any case', async () => {
  const database = await openDatabase()
  const views = deviceViews(database)
  const ids = ['b', 'Ab', 'aB', 'a%', 'A_c', 'a', '~~', 'workstation-AB', 'WORKstation-ac']
  const facts = 'id, app_key, device_id, profile, first_seen, last_seen, last_check_in, last_change'
  const rows = [APP, OTHER_APP].flatMap((app) =>
    ids.map((id, at) => [app * 100 + at, app, id, 1, 1, 1, 1, 1]),
  )
  await insert(database, 'devices', facts, rows)
  const order = (a: string, b: string) => {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()]
    return x === y ? (a < b ? -1 : 1) : x < y ? -1 : 1
  }
  for (const prefix of ['', 'a', 'AB', 'a%', 'a_', '~', '~~~', 'workSTATION-A', 'é', '\0', '\\']) {
    const matches = ids.filter((id) => id.toLowerCase().startsWith(prefix.toLowerCase()))
    const of = (appKey: number) => matches.toSorted(order).map((deviceId) => ({ appKey, deviceId }))
    const all = [...of(OTHER_APP), ...of(APP)]
    expect(await views.devicesBeginning([OTHER_APP, APP], prefix, 100), prefix).toEqual(all)
    expect(await views.devicesBeginning([OTHER_APP, APP], prefix, 3)).toEqual(all.slice(0, 3))
  }
  expect(await views.devicesBeginning([], 'a', 3)).toEqual([])
})

test('profiles are read for all asked devices, in the order they were asked', async () => {
  const database = await openDatabase()
  const views = deviceViews(database)
  const log = await seedFleet(database)
  const devices = [...lastOf(log).values()]
  const own = devices.filter(({ app }) => app === APP).toReversed()
  const strange = devices.find(({ app }) => app === OTHER_APP)
  const asked = own.map(({ deviceId }) => deviceId)
  const twice = [...asked, strange?.deviceId ?? '', 'nobody', asked[0] ?? '']
  const profiles = own.map(({ profile }) => shown(profile))
  expect(await views.profilesOf(APP, twice)).toEqual([
    ...profiles,
    undefined,
    undefined,
    profiles[0],
  ])
  expect(await views.profilesOf(APP, [])).toEqual([])
})
