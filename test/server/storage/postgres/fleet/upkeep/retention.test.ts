// @module-tag postgresql

import { expect, test } from 'vitest'
import { dayOf, hourOf } from '../../../../../../src/server/fleet/time.ts'
import {
  forgetDevices,
  isErasurePending,
  pendingErasures,
} from '../../../../../../src/server/storage/postgres/fleet/upkeep/erasures.ts'
import { foldReleaseCounts } from '../../../../../../src/server/storage/postgres/fleet/upkeep/folding.ts'
import {
  checkInRetention,
  deleteOldDevices,
  newestSeen,
} from '../../../../../../src/server/storage/postgres/fleet/upkeep/retention.ts'
import { expectCounted } from '../../../../../support/postgres/recount.ts'
import { insert, openDatabase } from '../open-database.ts'
import { HOUR, lastOf, NOW, seedFleet } from '../seeded-fleet.ts'
import { checkInOf, openTelemetryNode, START, storeChannels } from '../telemetry-node.ts'

const DAY = 86_400_000
const NEVER = Number.NEGATIVE_INFINITY

/** Runs every slice, and returns the sum of what they tell. */
async function all(rounds: AsyncIterable<unknown>): Promise<number> {
  let sum = 0
  for await (const count of rounds) sum += Number(count ?? 0)
  return sum
}

/** Devices that were offered a release, each one hour after the one before. */
async function offeredFleet(devices: number) {
  const database = await openDatabase()
  await storeChannels(database)
  const node = await openTelemetryNode(database)
  const check = (device: number, minutes: number) => {
    const facts = { device, channelKey: 1, version: '1.0.0', release: 0, node: 0 } as const
    const checkIn = checkInOf({ ...facts, minutes, answer: 'update' })
    const labels = { set: { ring: 'beta' }, remove: [] }
    node.facts.add({ kind: 'check_in', checkIn, labels })
  }
  for (let device = 1; device <= devices; device++) check(device, device * 60)
  await node.flush()
  return { database, node, check }
}

test('devices that were not seen for long go with all that they have', async () => {
  const { database } = await offeredFleet(40)
  const before = START + 21 * HOUR
  expect(await all(deleteOldDevices(database, { before, onceBefore: NEVER }))).toBe(20)
  expect(await all(deleteOldDevices(database, { before, onceBefore: NEVER }))).toBe(0)
  expect(await all(deleteOldDevices(database, { before: NEVER, onceBefore: NEVER }))).toBe(0)
  await expectCounted(database)
  for (const table of ['devices', 'device_labels', 'profile_changes']) {
    const row = await database.row(`SELECT count(*) AS rows FROM ${table}`)
    expect([table, row]).toEqual([table, { rows: 20 }])
  }
  expect(await newestSeen(database)).toBe(START + 40 * HOUR)
})

test('devices that were seen once without a key go sooner', async () => {
  const { database, node, check } = await offeredFleet(6)
  await database.run(`UPDATE devices SET keyed = 0 WHERE device_id IN ('device-1', 'device-2')`)
  check(2, 130)
  await node.flush()
  const rule = { before: NEVER, onceBefore: START + 5 * HOUR }
  expect(await all(deleteOldDevices(database, rule))).toBe(1)
  const left = await database.rows<{ id: string }>('SELECT device_id AS id FROM devices')
  expect(left.map(({ id }) => id)).not.toContain('device-1')
  await expectCounted(database)
})

test('counters stay exact while devices are deleted and check in', async () => {
  const { database, node, check } = await offeredFleet(60)
  let isDeleting = true
  const writing = (async () => {
    for (let minute = 0; isDeleting; minute++) {
      for (let device = 1; device <= 60; device += 7) check(device, 3_000 + minute)
      await node.flush()
    }
  })()
  for (let hour = 10; hour <= 60; hour += 10) {
    await all(deleteOldDevices(database, { before: START + hour * HOUR, onceBefore: NEVER }))
    await forgetDevices(database, [{ appKey: 1, deviceId: `device-${1 + (hour % 60)}` }])
    await foldReleaseCounts(database, START + 200 * HOUR)
  }
  isDeleting = false
  await writing
  await expectCounted(database)
})

test('a device is forgotten with its request, and nobody else', async () => {
  const { database } = await offeredFleet(3)
  const name = { appKey: 1, deviceId: 'device-2' }
  await insert(database, 'erasures', 'app_key, device_id', [
    [1, 'device-2'],
    [1, 'nobody'],
  ])
  const aside = (deviceId: string) => JSON.stringify({ checkIn: { appKey: 1, deviceId } })
  await insert(database, 'set_aside', 'at, node, batch, facts, reason', [
    [1, 1, 1, aside('device-2'), ''],
    [1, 1, 1, aside('device-1'), ''],
  ])
  expect(await isErasurePending(database, name)).toBe(true)
  const pending = await pendingErasures(database)
  expect(pending).toEqual([name, { appKey: 1, deviceId: 'nobody' }])
  await forgetDevices(database, pending)
  expect(await pendingErasures(database)).toEqual([])
  expect(await isErasurePending(database, name)).toBe(false)
  const left = await database.rows('SELECT device_id AS id FROM devices ORDER BY 1')
  expect(left).toEqual([{ id: 'device-1' }, { id: 'device-3' }])
  expect(await database.rows('SELECT 1 FROM set_aside')).toHaveLength(1)
  await expectCounted(database)
})

test('old days of check-ins are dropped, counters folded, and long histories cut', async () => {
  const database = await openDatabase()
  const log = await seedFleet(database)
  const [device] = [...lastOf(log).values()]
  const changes = Array.from({ length: 200 }, (_, at) => [device?.device, 7_000 + at, 5 + at, 1])
  await insert(database, 'profile_changes', 'device, id, at, profile', changes)
  await insert(database, 'nodes', 'id, slot, name, version, schema', [[1, 1, 'n', '0', 6]])
  await insert(database, 'release_counts', 'release, cell, slot, devices', [
    ...[
      [1, 2, 1, 5],
      [1, 2, 2, 3],
    ],
    ...[
      [1, hourOf(NOW) - 1, 1, 4],
      [1, hourOf(NOW) + 5, 1, 6],
      [1, 3, 2, 0],
    ],
  ])
  const retainCheckIns = checkInRetention(database)
  const before = NOW - 3 * DAY
  await all(retainCheckIns({ before, now: NOW }))
  const oldest = await database.row<{ at: number }>('SELECT min(at) AS at FROM check_ins')
  expect(oldest?.at).toBe(log.find(({ at }) => dayOf(at) >= dayOf(before))?.at)
  const kept = await database.rows('SELECT id FROM profile_changes WHERE device = $1', [
    device?.device,
  ])
  expect(kept).toHaveLength(100)
  const open = await database.rows('SELECT 1 FROM adoption WHERE slot <> 0 AND day < $1', [
    dayOf(NOW - HOUR),
  ])
  expect(open).toEqual([])
  expect(await database.rows('SELECT * FROM release_counts ORDER BY cell, slot')).toEqual([
    { release: 1, cell: 2, slot: 0, devices: 3 },
    { release: 1, cell: 2, slot: 1, devices: 5 },
    { release: 1, cell: hourOf(NOW) - 1, slot: 0, devices: 4 },
    { release: 1, cell: hourOf(NOW) + 5, slot: 1, devices: 6 },
  ])
  const total = 'SELECT count(*) AS rows FROM check_ins'
  const rows = await database.row(total)
  await all(retainCheckIns({ before: undefined, now: NOW + 60 * DAY }))
  expect(await database.row(total)).toEqual(rows)
})
