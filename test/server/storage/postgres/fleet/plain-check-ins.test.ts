// @module-tag postgresql

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  offeredAgain,
  oneMoreOffer,
  WAITING,
} from '../../../../../src/server/fleet/health/episode.ts'
import {
  intervalOf,
  offersOf,
  packEpisode,
  packProgress,
  packStage,
  phaseOf,
  progressOf,
} from '../../../../../src/server/fleet/health/packed-episode.ts'
import { nextInterval } from '../../../../../src/server/fleet/health/usual-interval.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { IdBlocks } from '../../../../../src/server/storage/postgres/fleet/ingest/id-blocks.ts'
import { KnownReleases } from '../../../../../src/server/storage/postgres/fleet/ingest/known-releases.ts'
import {
  meetDevices,
  plainCheckIns,
} from '../../../../../src/server/storage/postgres/fleet/ingest/plain-check-ins.ts'
import { namedDevices } from '../../../../../src/server/storage/postgres/fleet/ingest/slice-facts.ts'
import {
  closeChannels,
  openChannels,
} from '../../../../../src/server/storage/postgres/fleet/removal/closing-channels.ts'
import { stageOf } from '../../../../../src/server/storage/shared/ingest/check-in-kind.ts'
import { freshDatabase } from '../../../../support/postgres/shared-cluster.ts'
import {
  checkInOf,
  openTelemetryNode,
  START,
  storeChannels,
  type TelemetryNode,
} from './telemetry-node.ts'

let database: PostgresDatabase
let node: TelemetryNode

beforeAll(async () => {
  database = new PostgresDatabase(await freshDatabase({ prepared: true }), 8)
  await storeChannels(database)
  node = await openTelemetryNode(database)
})
afterAll(() => database?.close())

/** A check-in of a device that runs 1.0.0, `minutes` after the start. */
function plain(device: number, minutes: number) {
  return checkInOf({
    ...{ device, channelKey: 1, version: '1.0.0', minutes },
    ...{ answer: 'up_to_date', release: 0, node: 0 },
  })
}

async function store(...checkIns: readonly ReturnType<typeof plain>[]): Promise<void> {
  for (const checkIn of checkIns) node.facts.add({ kind: 'check_in', checkIn, labels: undefined })
  await node.flush()
}

interface Stored {
  readonly device: number
  readonly lastSeen: number
  readonly episode: number
  readonly kind: number
  readonly previous: number
  readonly before: number
}

/** Devices from that number on, with their newest check-ins. `before`: the id of the one before. */
function storedFrom(first: number): Promise<Stored[]> {
  return database.rows<Stored>(
    `SELECT substr(device_id, 8)::integer AS device,
      last_seen AS "lastSeen", episode, kind, previous, (SELECT max(id) FROM check_ins AS older
        WHERE older.device = devices.id AND older.id < last_check_in) AS before
    FROM devices JOIN check_ins ON check_ins.id = last_check_in
    WHERE substr(device_id, 8)::integer >= $1 ORDER BY 1`,
    [first],
  )
}

let next = 100

const offered = {
  reason: 'update',
  offered: { id: 'r', channelKey: 1, version: '9.0.0' },
} as const

/** `again`: it is offered its release once more, `age` seconds after the first time. */
const aState = fc.record({
  gap: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 40 * 86_400 })),
  interval: fc.constantFrom(0, 60, 3_600, 115_200, 2_592_000),
  release: fc.constantFrom(0, 1),
  phase: fc.constantFrom(WAITING, 2 as const, 3 as const, 4 as const),
  offers: fc.integer({ min: 0, max: 3 }),
  again: fc.boolean(),
  age: fc.constantFrom(0, 86_399, 86_400),
})

test('a check-in that may be plain changes the usual interval and the offers of a device as the rules say, and nothing else', async () => {
  await database.run(`INSERT INTO offered_releases (number, release_id, channel_key, version, offered_at)
    VALUES (1, 'r', 1, '9.0.0', 0)`)
  await fc.assert(
    fc.asyncProperty(fc.array(aState, { minLength: 1, maxLength: 30 }), async (states) => {
      const first = next
      next += states.length
      const devices = states.map((_, at) => first + at)
      await store(...devices.map((device) => plain(device, 0)))
      const episodes = states.map(({ interval, release, phase, offers }) =>
        packEpisode(release, packProgress(release && phase, release && offers, interval)),
      )
      await database.run(
        `UPDATE devices SET episode = u.episode, last_seen = seen, offered_at = offered
        FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS u (name, episode, seen, offered)
        WHERE device_id = name`,
        [
          devices.map((device) => `device-${device}`),
          episodes,
          states.map(({ gap }) => START + 60_000 - gap * 1_000),
          states.map(({ age }) => START / 1_000 + 60 - age),
        ],
      )
      await store(
        ...states.map(({ release, again }, at) => ({
          ...plain(first + at, 1),
          ...(release === 1 && again && offered),
        })),
      )
      const after = await storedFrom(first)
      expect(after.map(({ lastSeen }) => lastSeen)).toEqual(devices.map(() => START + 60_000))
      expect(after.map(({ previous }) => previous)).toEqual(after.map(({ before: id }) => id))
      for (const [at, { gap, release, again, age }] of states.entries()) {
        const old = progressOf(episodes[at] ?? 0)
        const interval = nextInterval(intervalOf(old), gap)
        const progress = progressOf(after[at]?.episode ?? 0)
        expect(intervalOf(progress)).toBe(interval)
        const offers = release === 1 && again ? oneMoreOffer(offersOf(old)) : offersOf(old)
        const phase =
          release === 1 && again ? offeredAgain(phaseOf(old), offers, age) : phaseOf(old)
        const stage = packProgress(phase, offers, 0)
        expect((after[at]?.episode ?? 0) - progress + (progress & 31)).toBe(
          packEpisode(release, stage),
        )
        expect(stageOf(after[at]?.kind ?? 0)).toBe(release === 0 ? 0 : packStage(release, stage))
      }
    }),
    { numRuns: 20 },
  )
})

test('only check-ins that change nothing but times and offers are plain', async () => {
  await store(...[50, 51, 52, 53, 55, 56].map((device) => plain(device, 0)))
  const waiting = (offers: number) => packEpisode(1, packProgress(WAITING, offers, 0))
  await database.run(
    `UPDATE devices SET episode = u.episode FROM unnest($1::text[], $2::bigint[]) AS u (name, episode)
    WHERE device_id = name`,
    [
      ['device-51', 'device-55', 'device-56'],
      [waiting(1), waiting(1), waiting(2)],
    ],
  )
  const updated = new ProfileClaim(1, '2.0.0', 'linux', 'x86_64', 'release')
  const named = namedDevices(
    [
      plain(50, 1),
      // It waits for a release, and was offered none.
      plain(51, 1),
      { ...plain(52, 1), profile: updated },
      // It is offered its first release.
      { ...plain(53, 1), ...offered },
      // It is new.
      plain(54, 1),
      { ...plain(55, 1), ...offered },
      // It is stuck now.
      { ...plain(56, 1), ...offered },
    ].map((checkIn) => ({ kind: 'check_in', checkIn, labels: undefined })),
  )
  const ids = new IdBlocks(database)
  const releases = new KnownReleases(database)
  await releases.find(['r'])
  await ids.reserve(0, named.length)
  const { stored, rows } = await database.transaction((tx) =>
    meetDevices(
      tx,
      named,
      plainCheckIns(named, node.store.profiles, releases.offered, ids),
      new Set(),
    ),
  )
  expect(stored.map(({ checkIn }) => checkIn.deviceId)).toEqual(['device-50', 'device-55'])
  expect(rows.map(({ place }) => named[place - 1]?.deviceId)).toEqual(
    [51, 52, 53, 56].map((device) => `device-${device}`),
  )
})

test('a plain check-in is undone when its call has a channel that is being removed', async () => {
  await store(plain(1, 0), plain(2, 0))
  await closeChannels(database, [2])
  const onClosing = {
    ...plain(2, 5),
    profile: new ProfileClaim(2, '1.0.0', 'linux', 'x86_64', 'release'),
  }
  const refused = node.facts.addAll({
    checkIns: [plain(1, 5), onClosing],
    reports: [],
    labelDeltas: [],
  })
  const kept = node.facts.addAll({ checkIns: [plain(3, 5)], reports: [], labelDeltas: [] })
  await node.flush()
  await openChannels(database, [2])
  expect([refused.isRefused, kept.isRefused]).toEqual([true, false])
  const seen = (await storedFrom(1)).slice(0, 3).map(({ device, lastSeen }) => [device, lastSeen])
  expect(seen).toEqual([
    [1, START],
    [2, START],
    [3, START + 5 * 60_000],
  ])
})

test('a node of the version before stores a plain check-in', async () => {
  await store(plain(60, 0))
  const [row] = await database.rows<{ profile: number }>(
    "SELECT profile FROM devices WHERE device_id = 'device-60'",
  )
  const ids = new IdBlocks(database)
  await ids.reserve(0, 1)
  const id = ids.checkIn(START)
  const met = await database.rows(
    `SELECT stored::text, devices FROM meet_devices_2('{1}', '{device-60}', $1, $2, $3, '{1}', '{0}', '{}')`,
    [[row?.profile], [START + 60_000], [id]],
  )
  expect(met).toEqual([{ stored: '[1]', devices: null }])
  expect((await storedFrom(60)).slice(0, 1).map(({ lastSeen }) => lastSeen)).toEqual([
    START + 60_000,
  ])
})
