// @module-tag postgresql

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  intervalOf,
  packEpisode,
  packProgress,
  packStage,
  progressOf,
} from '../../../../../src/server/fleet/health/packed-episode.ts'
import { nextInterval } from '../../../../../src/server/fleet/health/usual-interval.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { IdBlocks } from '../../../../../src/server/storage/postgres/fleet/ingest/id-blocks.ts'
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

const aState = fc.record({
  gap: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 40 * 86_400 })),
  interval: fc.constantFrom(0, 60, 3_600, 115_200, 2_592_000),
  release: fc.constantFrom(0, 1),
  phase: fc.constantFrom(2 as const, 3 as const, 4 as const),
  offers: fc.integer({ min: 0, max: 3 }),
})

test('a plain check-in changes the usual interval of a device as the rule says, and nothing else of its episode', async () => {
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
        `UPDATE devices SET episode = u.episode, last_seen = seen
        FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS u (name, episode, seen) WHERE device_id = name`,
        [
          devices.map((device) => `device-${device}`),
          episodes,
          states.map(({ gap }) => START + 60_000 - gap * 1_000),
        ],
      )
      await store(...devices.map((device) => plain(device, 1)))
      const after = await storedFrom(first)
      expect(after.map(({ lastSeen }) => lastSeen)).toEqual(devices.map(() => START + 60_000))
      expect(after.map(({ previous }) => previous)).toEqual(after.map(({ before: id }) => id))
      for (const [at, { gap, release }] of states.entries()) {
        const old = progressOf(episodes[at] ?? 0)
        const interval = nextInterval(intervalOf(old), gap)
        const progress = progressOf(after[at]?.episode ?? 0)
        expect(intervalOf(progress)).toBe(interval)
        expect((after[at]?.episode ?? 0) - progress + (progress & 31)).toBe(
          packEpisode(release, old & 31),
        )
        expect(stageOf(after[at]?.kind ?? 0)).toBe(release === 0 ? 0 : packStage(release, old))
      }
    }),
    { numRuns: 20 },
  )
})

test('only check-ins that change nothing but times are plain', async () => {
  await store(...[50, 51, 52, 53].map((device) => plain(device, 0)))
  await database.run("UPDATE devices SET episode = $1 WHERE device_id = 'device-51'", [
    packEpisode(1, packProgress(1, 1, 0)),
  ])
  const updated = new ProfileClaim(1, '2.0.0', 'linux', 'x86_64', 'release')
  const offered = {
    reason: 'update',
    offered: { id: 'r', channelKey: 1, version: '9.0.0' },
  } as const
  const named = namedDevices(
    [
      plain(50, 1),
      // It waits for a release.
      plain(51, 1),
      { ...plain(52, 1), profile: updated },
      { ...plain(53, 1), ...offered },
      // It is new.
      plain(54, 1),
    ].map((checkIn) => ({ kind: 'check_in', checkIn, labels: undefined })),
  )
  const ids = new IdBlocks(database)
  await ids.reserve(0, named.length)
  const { stored, rows } = await database.transaction((tx) =>
    meetDevices(tx, named, plainCheckIns(named, node.store.profiles, ids), new Set()),
  )
  expect(stored.map(({ checkIn }) => checkIn.deviceId)).toEqual(['device-50'])
  expect(rows.map(({ place }) => named[place - 1]?.deviceId)).toEqual(
    [51, 52, 53].map((device) => `device-${device}`),
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
