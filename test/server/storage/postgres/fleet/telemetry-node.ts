import fc from 'fast-check'
import { expect } from 'vitest'
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
import type { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { QueuedFacts } from '../../../../../src/server/storage/postgres/fleet/ingest/queued-facts.ts'
import { TelemetryStore } from '../../../../../src/server/storage/postgres/fleet/ingest/telemetry-store.ts'
import { ensurePartitions } from '../../../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'

/** When they check in first: Unix ms. */
export const START = Date.UTC(2026, 2, 14, 10)

let nodes = 0

/** Stores the app 1 with the channels 1 and 2. */
export async function storeChannels(database: PostgresDatabase): Promise<void> {
  await database.run(
    `INSERT INTO apps (key, id, ref, name, created_at) VALUES (1, 'a', 'editor', 'Editor', '')`,
  )
  await database.run(`INSERT INTO channels (key, app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision)
    VALUES (1, 1, 'stable', 'optional', '0.0.0', 'downgrade', '', 1), (2, 1, 'beta', 'optional', '0.0.0', 'downgrade', '', 1)`)
}

/** A node with a store of its own on the database, which need not have the channels 1 and 2 of the app 1. */
export async function openTelemetryNode(database: PostgresDatabase) {
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

export type TelemetryNode = Awaited<ReturnType<typeof openTelemetryNode>>

export const RELEASES = ['2.0.0', '2.1.0'].map((version) => {
  return { id: `release-${version}`, channelKey: 1, version }
})

export const aCheckIn = fc.record({
  device: fc.integer({ min: 0, max: 12 }),
  channelKey: fc.constantFrom(1, 1, 1, 2),
  version: fc.constantFrom('1.0.0', '2.0.0', '2.1.0', '0.9.0'),
  minutes: fc.integer({ min: 0, max: 3 * 24 * 60 }),
  answer: fc.constantFrom('up_to_date', 'update', 'update', 'rollback'),
  release: fc.integer({ min: 0, max: 1 }),
  node: fc.integer({ min: 0, max: 2 }),
})

/** Returns it as a server would send it. */
export function checkInOf({
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

/** Compares the counters, summed over the slots, with the devices. */
export async function expectCounted(database: PostgresDatabase): Promise<void> {
  const devices = await database.rows<Row>('SELECT * FROM devices')
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
}

/** The same, and with the log, which must have everything since the start. */
export async function expectExact(database: PostgresDatabase): Promise<void> {
  await expectCounted(database)
  const devices = await database.rows<Row>('SELECT * FROM devices')
  const log = await database.rows<{ id: number; device: number; previous: number }>(
    'SELECT * FROM check_ins',
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
