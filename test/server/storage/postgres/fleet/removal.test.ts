// @module-tag postgresql

import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CatalogRemoval } from '../../../../../src/server/catalog/store.ts'
import { dayOf } from '../../../../../src/server/fleet/time.ts'
import type { FactBatch } from '../../../../../src/server/storage/postgres/fleet/ingest/queued-facts.ts'
import { Outrun } from '../../../../../src/server/storage/postgres/fleet/ingest/slice-store.ts'
import type { TelemetryStore } from '../../../../../src/server/storage/postgres/fleet/ingest/telemetry-store.ts'
import { closeChannels } from '../../../../../src/server/storage/postgres/fleet/removal/closing-channels.ts'
import { PostgresRemovals } from '../../../../../src/server/storage/postgres/fleet/removal/removals.ts'
import { expectCounted } from '../../../../support/postgres/recount.ts'
import { freshDatabase } from '../../../../support/postgres/shared-cluster.ts'
import {
  artifact,
  auditEntry,
  newApp,
  newChannel,
  newKey,
  newRelease,
} from '../../relational/catalog/catalog-contract/subject.ts'
import { type OpenNode, testNode } from '../open-node.ts'
import { aCheckIn, checkInOf, openTelemetryNode, START } from './telemetry-node.ts'

const EVERY_TABLE = ['adoption', 'hourly_adoption', 'presence', 'traffic', 'profiles', 'devices']

/** A database with an app of two channels, the keys 1 and 2, and removals on a node. */
async function setUp(options: { mostAtOnce?: number; slice?: number } = {}) {
  const node = await testNode(await freshDatabase({ prepared: true }))
  await node.catalog.transact(async (tx) => {
    const app = await tx.insertApp(newApp('editor'))
    const channels = [newChannel(app, 'stable'), newChannel(app, 'beta')]
    for (const channel of channels) {
      const stored = await tx.insertChannel(channel)
      const release = { status: 'paused', artifacts: [artifact()] } as const
      await tx.insertRelease(newRelease(stored, release))
    }
    await tx.insertKey(newKey({ appKey: app.key }))
  })
  const removals = new PostgresRemovals(node.database, node.changes, options)
  onTestFinished(() => removals.close())
  return { node, database: node.database, removals }
}

function removalOf(channelKeys: readonly number[], wholeApp = false): CatalogRemoval {
  return { appKey: 1, channelKeys, wholeApp, entry: auditEntry({ before: null, after: null }) }
}

async function countsIn({ database }: OpenNode, tables: readonly string[]) {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const row = await database.row<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)
    counts[table] = row?.rows ?? 0
  }
  return counts
}

const onChannel = (channelKey: 1 | 2, device: number) =>
  checkInOf({
    ...{ device, channelKey, version: '1.0.0', minutes: device },
    ...{ answer: 'up_to_date', release: 0, node: 0 },
  })

test('a channel goes with all that it has, and the rest stays counted', async () => {
  const { node, database, removals } = await setUp()
  const telemetry = await openTelemetryNode(database)
  for (const checkIn of fc.sample(aCheckIn, { numRuns: 300, seed: 1 })) {
    telemetry.facts.add({ kind: 'check_in', checkIn: checkInOf(checkIn), labels: undefined })
  }
  await telemetry.flush()
  const before = await node.catalog.revision()
  expect(await removals.remove(removalOf([2]))).toBe('removed')
  expect((await node.catalog.channels()).map(({ name }) => name)).toEqual(['stable'])
  expect((await node.catalog.changesSince(0))?.releases).toHaveLength(1)
  expect(await node.catalog.revision()).toBe(before + 1)
  expect(await node.catalog.lastAuditId()).toBe(1)
  expect(await database.rows('SELECT 1 FROM profiles WHERE channel_key = 2')).toEqual([])
  expect(await database.rows('SELECT 1 FROM traffic WHERE channel_key = 2')).toEqual([])
  expect((await countsIn(node, ['devices'])).devices).toBeGreaterThan(3)
  await expectCounted(database)
  expect(await removals.remove(removalOf([2]))).toBe('unknown')
})

test('an app goes with all that it has', async () => {
  const { node, database, removals } = await setUp({ mostAtOnce: 4, slice: 3 })
  const telemetry = await openTelemetryNode(database)
  for (const checkIn of fc.sample(aCheckIn, { numRuns: 200, seed: 2 })) {
    telemetry.facts.add({ kind: 'check_in', checkIn: checkInOf(checkIn), labels: undefined })
  }
  await telemetry.flush()
  expect(await removals.remove(removalOf([1], true))).toBe('outdated')
  expect(await removals.remove(removalOf([1, 2]))).toBe('last_channel')
  expect((await countsIn(node, ['devices'])).devices).toBe(12)
  expect(await removals.remove(removalOf([1, 2], true))).toBe('removed')
  const tables = [
    ...EVERY_TABLE,
    ...['apps', 'channels', 'releases', 'artifacts', 'api_keys', 'profile_changes'],
    ...['offered_releases', 'release_counts', 'device_labels', 'closing_channels'],
  ]
  expect(new Set(Object.values(await countsIn(node, tables)))).toEqual(new Set([0]))
  expect(await removals.remove(removalOf([1, 2], true))).toBe('unknown')
})

test('what is served is not removed, and stays as it is', async () => {
  const { node, database, removals } = await setUp()
  await node.catalog.transact(async (tx) => {
    const [stable] = await tx.channels()
    if (stable !== undefined)
      await tx.insertRelease(newRelease(stable, { artifacts: [artifact()] }))
  })
  const telemetry = await openTelemetryNode(database)
  telemetry.facts.add({ kind: 'check_in', checkIn: onChannel(1, 1), labels: undefined })
  await telemetry.flush()
  expect(await removals.remove(removalOf([1]))).toBe('served')
  expect(await countsIn(node, ['devices', 'closing_channels'])).toEqual({
    ...{ devices: 1, closing_channels: 0 },
  })
})

/** Stores a batch as the writer of a node does: again, if others were faster too often. */
async function commit(store: TelemetryStore, batch: FactBatch): Promise<void> {
  try {
    await store.commit(batch)
  } catch (error) {
    if (!(error instanceof Outrun)) throw error
    await commit(store, batch)
  }
}

test('nothing of a channel comes back, whatever nodes record while it is removed', async () => {
  const { node, database, removals } = await setUp({ mostAtOnce: 5, slice: 5 })
  const writers = await Promise.all([1, 2, 3].map(() => openTelemetryNode(database)))
  let isRemoving = true
  const write = async ({ facts, store }: (typeof writers)[number], seed: number) => {
    for (let round = 0; isRemoving; round++) {
      for (const checkIn of fc.sample(aCheckIn, { numRuns: 30, seed: seed * 1_000 + round })) {
        facts.add({ kind: 'check_in', checkIn: checkInOf(checkIn), labels: undefined })
      }
      await commit(store, facts.takeBatch())
    }
  }
  const writing = writers.map(write)
  await vi.waitFor(async () => expect((await countsIn(node, ['devices'])).devices).toBe(12), {
    timeout: 20_000,
  })
  expect(await removals.remove(removalOf([2]))).toBe('removed')
  isRemoving = false
  await Promise.all(writing)
  const [late] = writers
  late?.facts.add({ kind: 'check_in', checkIn: onChannel(2, 99), labels: undefined })
  await late?.flush()
  expect(await database.rows('SELECT 1 FROM profiles WHERE channel_key <> 1')).toEqual([])
  expect(await database.rows('SELECT 1 FROM traffic WHERE channel_key <> 1')).toEqual([])
  expect(await database.rows("SELECT 1 FROM devices WHERE device_id = 'device-99'")).toEqual([])
  const orphans = EVERY_TABLE.filter((table) => !['traffic', 'profiles'].includes(table))
  for (const table of orphans) {
    const lost = `SELECT profile FROM ${table} WHERE profile NOT IN (SELECT id FROM profiles)`
    expect([table, await database.rows(lost)]).toEqual([table, []])
  }
  await expectCounted(database)
})

test('a closed channel counts nothing, and takes check-ins again when it is open', async () => {
  const { database, removals } = await setUp()
  const telemetry = await openTelemetryNode(database)
  const send = async (device: number, channel: 1 | 2 = 2) => {
    telemetry.facts.add({
      kind: 'check_in',
      checkIn: onChannel(channel, device),
      labels: undefined,
    })
    await telemetry.flush()
  }
  const known = async () =>
    (
      await database.rows<{ id: string }>('SELECT device_id AS id FROM devices ORDER BY device_id')
    ).map(({ id }) => id)
  await send(1)
  await closeChannels(database, [2])
  await send(2)
  await send(3, 1)
  expect(await known()).toEqual(['device-1', 'device-3'])
  // A node that crashed closes it for a minute only.
  await database.run("UPDATE closing_channels SET until = until - interval '61 seconds'")
  await send(2)
  expect(await known()).toEqual(['device-1', 'device-2', 'device-3'])
  await expectCounted(database)
  expect(await removals.remove(removalOf([2]))).toBe('removed')
  expect(await known()).toEqual(['device-3'])
  const days = await database.rows('SELECT DISTINCT day FROM presence')
  expect(days).toEqual([{ day: dayOf(START) }])
})

test('a batch that is under way is waited for, and leaves nothing', async () => {
  const { node, database, removals } = await setUp()
  const telemetry = await openTelemetryNode(database)
  telemetry.facts.add({ kind: 'check_in', checkIn: onChannel(2, 1), labels: undefined })
  await telemetry.flush()
  let removing: Promise<unknown> | undefined
  await database.transaction(async (tx) => {
    await tx.rows('SELECT id FROM profiles WHERE channel_key = 2 FOR KEY SHARE')
    removing = removals.remove(removalOf([2]))
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect(await database.rows(waiting)).toHaveLength(1), {
      timeout: 10_000,
    })
    await tx.run(`INSERT INTO presence SELECT id, 7, 5, 1 FROM profiles WHERE channel_key = 2`)
    await tx.run(`INSERT INTO devices (id, first_seen, last_seen, last_check_in, last_change, app_key, profile, device_id)
      SELECT 77, 0, 0, 0, 0, 1, max(id), 'late' FROM profiles WHERE channel_key = 2`)
  })
  expect(await removing).toBe('removed')
  expect(await countsIn(node, ['devices', 'presence'])).toEqual({ devices: 0, presence: 0 })
})
