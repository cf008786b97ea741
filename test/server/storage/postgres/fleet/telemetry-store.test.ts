import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import { deviceCell, isOfDevices } from '../../../../../src/server/fleet/health/cells.ts'
import {
  intervalOf,
  phaseOf,
  progressOf,
  releaseOf,
} from '../../../../../src/server/fleet/health/packed-episode.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import { dayOf } from '../../../../../src/server/fleet/time.ts'
import { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { QueuedFacts } from '../../../../../src/server/storage/postgres/fleet/ingest/queued-facts.ts'
import { TelemetryStore } from '../../../../../src/server/storage/postgres/fleet/ingest/telemetry-store.ts'
import { ensurePartitions } from '../../../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import { freshDatabase } from '../../../../support/postgres/shared-cluster.ts'

const START = Date.UTC(2026, 2, 14, 10)

let database: PostgresDatabase

beforeAll(async () => {
  database = new PostgresDatabase(await freshDatabase({ prepared: true }), 20)
  await database.run(
    `INSERT INTO apps (key, id, ref, name, created_at) VALUES (1, 'a', 'editor', 'Editor', '')`,
  )
  await database.run(`INSERT INTO channels (key, app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision)
    VALUES (1, 1, 'stable', 'optional', '0.0.0', 'downgrade', '', 1), (2, 1, 'beta', 'optional', '0.0.0', 'downgrade', '', 1)`)
})
afterAll(() => database?.close())

let nodes = 0

/** A node with a store of its own on the database. */
async function openNode() {
  const id = ++nodes
  await database.run(
    `INSERT INTO nodes (id, slot, name, version, schema) VALUES ($1, $2, 'n', '0', 4)`,
    [id, id],
  )
  const budgets: string[] = []
  const store = new TelemetryStore(database, {
    node: () => ({ id, slot: id }),
    ensurePartition: (at) => ensurePartitions(database, at),
    combinations: 50,
    labelBytes: 64,
    isRolledBack: () => false,
    admits: (caller) => caller !== 'greedy',
    onUsedUp: (budget) => budgets.push(budget),
    onStored: () => {},
    clock: () => START,
  })
  const facts = new QueuedFacts()
  let number = 0
  const flush = async () => {
    const batch = facts.takeBatch(++number)
    await store.commit(batch)
    return batch
  }
  return { id, store, facts, flush, budgets }
}

type Node = Awaited<ReturnType<typeof openNode>>

const RELEASES = ['2.0.0', '2.1.0'].map((version) => {
  return { id: `release-${version}`, channelKey: 1, version }
})

const aCheckIn = fc.record({
  device: fc.integer({ min: 0, max: 12 }),
  channelKey: fc.constantFrom(1, 1, 1, 2),
  version: fc.constantFrom('1.0.0', '2.0.0', '2.1.0', '0.9.0'),
  minutes: fc.integer({ min: 0, max: 3 * 24 * 60 }),
  answer: fc.constantFrom('up_to_date', 'update', 'update', 'rollback'),
  release: fc.integer({ min: 0, max: 1 }),
  node: fc.integer({ min: 0, max: 2 }),
})

function checkInOf({
  device,
  channelKey,
  version,
  minutes,
  answer,
  release,
}: typeof aCheckIn extends fc.Arbitrary<infer T> ? T : never): CheckIn {
  const offered = answer === 'update' && channelKey === 1 ? RELEASES[release] : undefined
  const reason = answer === 'update' && offered === undefined ? 'up_to_date' : answer
  return {
    appKey: 1,
    deviceId: device === 0 ? null : `device-${device}`,
    profile: new ProfileClaim(channelKey, version, 'linux', 'x86_64', 'release'),
    at: START + minutes * 60_000,
    source: 'check',
    reason: reason as CheckIn['reason'],
    offered,
  }
}

interface Row {
  readonly id: number
  readonly profile: number
  readonly last_seen: number
  readonly last_check_in: number
  readonly episode: number
}

/** Compares the counters, summed over the slots, with the devices and the log. */
async function expectExact(): Promise<void> {
  const devices = await database.rows<Row>('SELECT * FROM devices')
  const log = await database.rows<{ id: number; device: number; previous: number }>(
    'SELECT * FROM check_ins',
  )
  const presence = new Map<string, number>()
  const counts = new Map<string, number>()
  const add = (cells: Map<string, number>, cell: string, change: number) => {
    const sum = (cells.get(cell) ?? 0) + change
    if (sum === 0) cells.delete(cell)
    else cells.set(cell, sum)
  }
  for (const { profile, last_seen, episode } of devices) {
    add(presence, `${profile} ${dayOf(last_seen)}`, 1)
    const release = releaseOf(episode)
    if (release === 0) continue
    const progress = progressOf(episode)
    add(counts, `${release} ${deviceCell(phaseOf(progress), intervalOf(progress), last_seen)}`, 1)
  }
  const stored = await database.rows<{ profile: number; day: number; devices: number }>(
    'SELECT profile, day, sum(devices) AS devices FROM presence GROUP BY 1, 2 HAVING sum(devices) <> 0',
  )
  expect(new Map(stored.map((row) => [`${row.profile} ${row.day}`, row.devices]))).toEqual(presence)
  const health = await database.rows<{ release: number; cell: number; devices: number }>(
    'SELECT release, cell, sum(devices) AS devices FROM release_counts GROUP BY 1, 2 HAVING sum(devices) <> 0',
  )
  const ofDevices = health.filter(({ cell }) => isOfDevices(cell))
  expect(new Map(ofDevices.map((row) => [`${row.release} ${row.cell}`, row.devices]))).toEqual(
    counts,
  )
  const traffic = await database.row<{ checkIns: number; anonymous: number }>(
    'SELECT coalesce(sum(check_ins), 0) AS "checkIns", coalesce(sum(anonymous), 0) AS anonymous FROM traffic',
  )
  const anonymous = log.filter(({ device }) => device === 0).length
  expect(traffic).toEqual({ checkIns: log.length, anonymous })
  // Each device's chain has all of its check-ins, once.
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  for (const { id, last_check_in } of devices) {
    let length = 0
    for (let at = last_check_in; at !== 0; at = byId.get(at)?.previous ?? 0) {
      expect(byId.get(at)?.device).toBe(id)
      length++
    }
    expect(length).toBe(log.filter(({ device }) => device === id).length)
  }
}

test('counters equal a recount, whatever several nodes write at once', async () => {
  const writers = await Promise.all([openNode(), openNode(), openNode()])
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(aCheckIn, { maxLength: 20 }), { maxLength: 4 }),
      async (rounds) => {
        for (const round of rounds) {
          for (const each of round) {
            writers[each.node]?.facts.add({
              kind: 'check_in',
              checkIn: checkInOf(each),
              labels: undefined,
            })
          }
          await Promise.all(writers.map((writer) => writer.flush()))
        }
        await expectExact()
      },
    ),
    { numRuns: 15 },
  )
})

test('four nodes hammer the same devices, and nothing is lost or counted twice', async () => {
  const writers = await Promise.all([openNode(), openNode(), openNode(), openNode()])
  const before = await database.row<{ count: number }>('SELECT count(*) AS count FROM check_ins')
  const hammer = async ({ facts, flush }: Node, start: number) => {
    for (let round = 0; round < 10; round++) {
      for (let device = 0; device < 60; device++) {
        const checkIn = checkInOf({
          ...{ device: 100 + ((device * 7 + start) % 60), channelKey: 1, version: '2.0.0' },
          ...{ minutes: round, answer: 'update', release: device % 2, node: 0 },
        })
        facts.add({ kind: 'check_in', checkIn, labels: undefined })
      }
      await flush()
    }
  }
  await Promise.all(writers.map((writer, at) => hammer(writer, at * 13)))
  const after = await database.row<{ count: number }>('SELECT count(*) AS count FROM check_ins')
  expect((after?.count ?? 0) - (before?.count ?? 0)).toBe(4 * 10 * 60)
  await expectExact()
})

test('a batch that is given again after its commit changes nothing', async () => {
  const { facts, flush, store } = await openNode()
  const checkIn = checkInOf({
    ...{ device: 200, channelKey: 1, version: '1.0.0', minutes: 1 },
    ...{ answer: 'up_to_date', release: 0, node: 0 },
  })
  facts.add({ kind: 'check_in', checkIn, labels: undefined })
  const batch = await flush()
  const count = () => database.row('SELECT count(*) AS count FROM check_ins')
  const before = await count()
  await store.commit({ ...batch, done: 0 })
  expect(await count()).toEqual(before)
})

test('a node that has ended stores nothing', async () => {
  const { id, facts, store } = await openNode()
  await database.run('UPDATE nodes SET ended_at = now() WHERE id = $1', [id])
  const checkIn = checkInOf({
    ...{ device: 201, channelKey: 1, version: '1.0.0', minutes: 1 },
    ...{ answer: 'up_to_date', release: 0, node: 0 },
  })
  facts.add({ kind: 'check_in', checkIn, labels: undefined })
  await expect(store.commit(facts.takeBatch(1))).rejects.toMatchObject({ code: 'unwritable' })
  expect(await database.rows("SELECT FROM devices WHERE device_id = 'device-201'")).toEqual([])
})

test('labels are merged, U+0000 included, within the limit of a device', async () => {
  const { facts, flush, budgets } = await openNode()
  const named = { appKey: 1, deviceId: 'labelled' }
  const report = {
    ...named,
    at: START,
    version: '1.0.0',
    platform: 'linux',
    arch: 'x86_64',
    newOn: 1,
  }
  const labels = (set: Record<string, string>, remove: string[] = []) => ({
    ...named,
    at: START,
    set,
    remove,
  })
  facts.addAll({
    checkIns: [],
    reports: [report],
    labelDeltas: [labels({ ring: 'a\0b\uFFFF', site: 'x' })],
  })
  await flush()
  facts.addAll({
    checkIns: [],
    reports: [],
    labelDeltas: [labels({ long: 'y'.repeat(100) }, ['site'])],
  })
  await flush()
  const row = await database.row<{ labels: string }>(
    "SELECT labels FROM device_labels JOIN devices ON id = device WHERE device_id = 'labelled'",
  )
  expect(JSON.parse(row?.labels ?? '')).toEqual({ ring: 'a\uFFFF0b\uFFFF1' })
  expect(budgets).toEqual(['labels'])
})

test('a caller whose budget is used up adds no device, but is counted', async () => {
  const { facts, flush } = await openNode()
  const checkIn = checkInOf({
    ...{ device: 202, channelKey: 2, version: '1.0.0', minutes: 1 },
    ...{ answer: 'up_to_date', release: 0, node: 0 },
  })
  facts.add({ kind: 'check_in', checkIn: { ...checkIn, caller: 'greedy' }, labels: undefined })
  await flush()
  expect(await database.rows("SELECT FROM devices WHERE device_id = 'device-202'")).toEqual([])
  await expectExact()
})

test('check-ins of a channel that was removed are dropped, and the others are stored', async () => {
  const { facts, flush } = await openNode()
  const sent = (channelKey: number, device: number) => {
    const checkIn = checkInOf({
      ...{ device, channelKey: 2, version: '1.0.0', minutes: 1 },
      ...{ answer: 'up_to_date', release: 0, node: 0 },
    })
    const profile = new ProfileClaim(channelKey, '7.0.0', 'linux', 'x86_64', 'release')
    facts.add({ kind: 'check_in', checkIn: { ...checkIn, profile }, labels: undefined })
  }
  sent(99, 203)
  sent(2, 204)
  await flush()
  const stored = await database.rows(
    "SELECT device_id FROM devices WHERE device_id IN ('device-203', 'device-204')",
  )
  expect(stored).toEqual([{ device_id: 'device-204' }])
  await expectExact()
})
