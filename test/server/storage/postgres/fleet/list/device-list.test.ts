// @module-tag postgresql

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DevicePage, DeviceQuery } from '../../../../../../src/server/fleet/device-query.ts'
import { deviceCell } from '../../../../../../src/server/fleet/health/cells.ts'
import {
  ADOPTED,
  NONE,
  STUCK,
  stateOf,
  WAITING,
} from '../../../../../../src/server/fleet/health/episode.ts'
import {
  intervalOf,
  packEpisode,
  packProgress,
} from '../../../../../../src/server/fleet/health/packed-episode.ts'
import { silence } from '../../../../../../src/server/fleet/health/release-counts.ts'
import { dayOf, hourOf } from '../../../../../../src/server/fleet/time.ts'
import {
  compareVersions,
  parseVersion,
} from '../../../../../../src/server/rules/decision/version.ts'
import type { PostgresDatabase } from '../../../../../../src/server/storage/postgres/connection/database.ts'
import { firstIdOf } from '../../../../../../src/server/storage/postgres/fleet/ingest/id-blocks.ts'
import { labelsToText } from '../../../../../../src/server/storage/postgres/fleet/ingest/stored-labels.ts'
import { PostgresDeviceList } from '../../../../../../src/server/storage/postgres/fleet/list/device-list.ts'
import { ensurePartitions } from '../../../../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import { OTHER } from '../../../../../../src/shared/devices/counting.ts'
import type { HealthState } from '../../../../../../src/shared/health/health.ts'
import { insert, openDatabase } from '../open-database.ts'

const NOW = Date.parse('2026-03-14T12:30:00Z')
const HOUR = 3_600_000
/** Older than what is left of the log. */
const OLD = 120 * HOUR

const PROFILES = [
  { id: 1, channel: 1, version: '1.9.0', platform: 'linux', arch: 'x86_64' },
  { id: 2, channel: 1, version: '1.10.0', platform: 'darwin', arch: 'aarch64' },
  { id: 3, channel: 2, version: '1.10.0-rc.1', platform: 'macos', arch: 'x86_64' },
  { id: 4, channel: 1, version: OTHER, platform: OTHER, arch: OTHER },
  { id: 5, channel: 2, version: '1.9.0', platform: 'linux', arch: 'x86_64' },
  { id: 6, channel: 3, version: '1.9.0', platform: 'linux', arch: 'x86_64' },
] as const

/** Hours with check-ins: not all, so that silence is not a matter of hours alone. */
const BUSY = Array.from({ length: 200 }, (_, ago) => hourOf(NOW) - ago).filter((at) => at % 5 > 0)

const device = fc.record({
  deviceId: fc.string({
    unit: fc.constantFrom('a', 'A', 'b', '=', '~', '%', '_'),
    ...{ minLength: 1, maxLength: 4 },
  }),
  profile: fc.constantFrom(...PROFILES),
  ago: fc.constantFrom(0, 1, 700, 5_000, 90_000, 2 * HOUR, 20 * HOUR, 30 * HOUR, OLD),
  older: fc.constantFrom(0, 1_500),
  labels: fc.dictionary(fc.constantFrom('a', 'ring'), fc.constantFrom('b', '"x\\', 'b\0=')),
  release: fc.constantFrom(0, 1, 1, 2),
  phase: fc.constantFrom(WAITING, WAITING, ADOPTED, STUCK),
  interval: fc.constantFrom(0, 3_600, 20 * 3_600),
})
type Drawn = typeof device extends fc.Arbitrary<infer T> ? T : never
type Device = Omit<Drawn, 'older' | 'ago'> & { readonly older: number; readonly ago: number }
const fleet = fc.uniqueArray(device, { selector: ({ deviceId }) => deviceId, maxLength: 30 })

const maybe = <T>(...values: T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values))
const STATES: readonly HealthState[] = ['waiting', 'adopted', 'stuck', 'silent']

const asked = fc
  .record({
    channels: fc.constantFrom([1, 2], [1, 2], [2]),
    version: maybe('1.9.0', '7.0.0'),
    platform: maybe('darwin', 'windows'),
    arch: maybe('x86_64'),
    seenSince: fc.constantFrom(0, 0, NOW - 5_000, NOW - HOUR),
    prefix: maybe('a', 'aB', '~', '%', '_a'),
    label: maybe(
      { key: 'a', value: 'b' },
      { key: 'a', value: 'b\0=' },
      { key: 'ring', value: undefined },
    ),
    states: maybe(...STATES.map((state) => [state]), [...STATES]),
    sort: fc.constantFrom('lastSeen', 'lastSeen', 'firstSeen', 'deviceId', 'version'),
    descending: fc.boolean(),
    limit: fc.integer({ min: 2, max: 9 }),
  })
  .map(({ prefix, label, states, ...query }) => ({
    ...{ ...query, appKey: 1, appChannels: [1, 2], cursor: undefined, backward: false },
    search: prefix === undefined ? undefined : { prefix, label },
    health: states && { releaseId: 'two', states, now: NOW },
  }))

const isSilent = silence(hourOf(NOW), new Set(BUSY))

function stateIn(one: Device): HealthState | null {
  if (one.phase !== WAITING) return stateOf(one.release === 0 ? NONE : one.phase)
  const interval = intervalOf(packProgress(WAITING, 1, one.interval))
  return isSilent(deviceCell(WAITING, interval, NOW - one.ago)) ? 'silent' : 'waiting'
}

/** The same list, by filtering and sorting all devices: their ids. */
function modelOf(devices: readonly Device[], query: DeviceQuery): string[] {
  const isListed = (one: Device) => {
    const { profile, labels } = one
    const { search, health } = query
    const { key = '', value } = search?.label ?? {}
    const isFound =
      search === undefined ||
      one.deviceId.toLowerCase().startsWith(search.prefix.toLowerCase()) ||
      (search.label !== undefined &&
        Object.hasOwn(labels, key) &&
        (value === undefined || labels[key] === value))
    const platform = profile.platform === 'macos' ? 'darwin' : profile.platform
    const state = stateIn(one)
    return (
      query.channels.includes(profile.channel) &&
      (query.version === undefined || query.version === profile.version) &&
      (query.platform === undefined || query.platform === platform) &&
      (query.arch === undefined || query.arch === profile.arch) &&
      NOW - one.ago >= query.seenSince &&
      isFound &&
      (health === undefined ||
        (one.release === 2 && state !== null && health.states.includes(state)))
    )
  }
  const versionKey = (one: Device) =>
    one.profile.version === OTHER ? undefined : parseVersion(one.profile.version)
  const compare = (one: Device, two: Device): number => {
    if (query.sort === 'lastSeen') return two.ago - one.ago
    if (query.sort === 'firstSeen') return two.ago + two.older - one.ago - one.older
    if (query.sort === 'deviceId') return one.deviceId < two.deviceId ? -1 : 1
    const [first, second] = [versionKey(one), versionKey(two)]
    if (first === undefined || second === undefined) {
      return Number(first !== undefined) - Number(second !== undefined)
    }
    return compareVersions(first, second)
  }
  const listed = devices.map((one, number) => ({ one, number })).filter(({ one }) => isListed(one))
  listed.sort((a, b) => compare(a.one, b.one) || a.number - b.number)
  if (query.descending) listed.reverse()
  return listed.map(({ one }) => one.deviceId)
}

async function prepare(): Promise<PostgresDatabase> {
  const database = await openDatabase()
  await ensurePartitions(database, NOW)
  const apps = [1, 2].map((key) => [key, `app-${key}`, `ref-${key}`, 'App', ''])
  await insert(database, 'apps', 'key, id, ref, name, created_at', apps)
  const columns =
    'key, app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision'
  const channels = [1, 2, 3].map((key) => {
    return [key, key === 3 ? 2 : 1, `channel-${key}`, 'optional', '0.0.0', 'downgrade', '', 1]
  })
  await insert(database, 'channels', columns, channels)
  const profiles = PROFILES.map((p) => [p.id, p.channel, p.version, p.platform, p.arch])
  await insert(database, 'profiles', 'id, channel_key, version, platform, arch', profiles)
  const traffic = BUSY.map((hour) => [1, hour, 1, 3_000, 0, 0])
  const counted = 'channel_key, hour, slot, check_ins, anonymous, offers'
  await insert(database, 'traffic', counted, traffic)
  const releases = ['one', 'two'].map((id, at) => [at + 1, id, 1, `${at}.0.0`, 0])
  const released = 'number, release_id, channel_key, version, offered_at'
  await insert(database, 'offered_releases', released, releases)
  return database
}

async function fill(database: PostgresDatabase, devices: readonly Device[]): Promise<void> {
  await database.run('TRUNCATE devices, device_labels, presence, check_ins')
  if (devices.length === 0) return
  const idOf = (one: Device) => 1 + devices.indexOf(one)
  const appOf = ({ profile }: Device) => (profile.channel === 3 ? 2 : 1)
  const columns =
    'id, app_key, device_id, profile, first_seen, last_seen, last_check_in, last_change, episode'
  const rows = devices.map((one) => {
    const seen = NOW - one.ago
    const progress = packProgress(one.phase, 1, one.interval)
    const episode = one.release === 0 ? 0 : packEpisode(one.release, progress)
    return [
      idOf(one),
      appOf(one),
      one.deviceId,
      one.profile.id,
      seen - one.older,
      seen,
      1,
      1,
      episode,
    ]
  })
  await insert(database, 'devices', columns, rows)
  const logged = devices
    .filter(({ ago }) => ago !== OLD)
    .map((one) => {
      const at = NOW - one.ago
      return [firstIdOf(dayOf(at)) + idOf(one), idOf(one), at, one.profile.id, 1, 0]
    })
  if (logged.length > 0) {
    await insert(database, 'check_ins', 'id, device, at, profile, kind, previous', logged)
  }
  const labelled = devices.filter(({ labels }) => Object.keys(labels).length > 0)
  if (labelled.length > 0) {
    const labels = labelled.map((one) => [idOf(one), labelsToText(one.labels)])
    await insert(database, 'device_labels', 'device, labels', labels)
  }
  const present = devices.map((one) => [one.profile.id, dayOf(NOW - one.ago), idOf(one), 1])
  await insert(database, 'presence', 'profile, day, slot, devices', present)
}

const idsOf = ({ rows }: DevicePage) => rows.map(({ deviceId }) => deviceId)

async function pageThrough(list: PostgresDeviceList, query: DeviceQuery) {
  const first = await list.devices(query)
  const forward = [first]
  let page = first
  while (page.next !== undefined) {
    page = await list.devices({ ...query, cursor: page.next })
    forward.push(page)
  }
  const backward = [page]
  while (page.previous !== undefined) {
    page = await list.devices({ ...query, cursor: page.previous, backward: true })
    backward.push(page)
  }
  return { forward, backward: backward.reverse() }
}

test('paging on gives every matching device once and in order, paging back the same pages', async () => {
  const database = await prepare()
  await fc.assert(
    fc.asyncProperty(fleet, asked, fc.constantFrom(0, 0, 5_000), async (devices, query, few) => {
      await fill(database, devices)
      const list = new PostgresDeviceList(database, { clock: () => NOW, few })
      const model = modelOf(devices, query)
      const { forward, backward } = await pageThrough(list, query)
      expect(forward.flatMap(idsOf)).toEqual(model)
      expect(backward.map(idsOf)).toEqual(forward.map(idsOf))
      expect(forward.slice(0, -1).every(({ rows }) => rows.length === query.limit)).toBe(true)
      const known = devices.filter(({ profile }) => profile.channel !== 3).length
      for (const page of forward) expect(page).toMatchObject({ total: model.length, known })
      expect(forward[0]).toMatchObject({ offset: 0, previous: undefined })
      const offsets = forward.map((_, at) => at * query.limit)
      for (const pages of [forward, backward]) {
        expect(pages.map(({ offset }) => offset)).toEqual(offsets)
      }
    }),
    { numRuns: 100, endOnFailure: true },
  )
})

test('a cursor that leaves no full page before it, or nothing behind it, gives the first page', async () => {
  const database = await prepare()
  const facts = { labels: {}, release: 0, phase: WAITING, interval: 0 } as const
  const devices = Array.from({ length: 12 }, (_, at) => ({
    ...{ ...facts, deviceId: `d${String(at).padStart(2, '0')}`, older: 0 },
    ...{ profile: PROFILES[at % 3] ?? PROFILES[0], ago: 1_000 * (12 - at) },
  }))
  await fill(database, devices)
  const list = new PostgresDeviceList(database, { clock: () => NOW, few: 0 })
  for (const sort of ['lastSeen', 'firstSeen', 'deviceId', 'version'] as const) {
    const query: DeviceQuery = {
      ...{ appKey: 1, appChannels: [1, 2], channels: [1, 2], seenSince: 0, search: undefined },
      ...{ version: undefined, platform: undefined, arch: undefined, cursor: undefined },
      ...{ sort, descending: false, backward: false, limit: 5 },
    }
    const first = await list.devices(query)
    const [, , third] = first.rows
    const low = {
      ...{ lastSeen: third?.lastSeen ?? 0, firstSeen: third?.firstSeen ?? 0 },
      ...{ deviceId: third?.deviceId ?? '', version: '1.9.0' },
    }
    const cursor = { key: low[sort], device: 3 }
    expect(await list.devices({ ...query, cursor, backward: true })).toEqual(first)
    const high = { lastSeen: NOW, firstSeen: NOW, deviceId: '~', version: '9.0.0' }
    const beyond = { key: high[sort], device: 100_000 }
    expect(await list.devices({ ...query, cursor: beyond })).toEqual(first)
  }
})
