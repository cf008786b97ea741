// @module-tag postgresql

import { expect, test } from 'vitest'
import { ADOPTED } from '../../../../../../src/server/fleet/health/episode.ts'
import { dayOf, hourOf } from '../../../../../../src/server/fleet/time.ts'
import type { PostgresDatabase } from '../../../../../../src/server/storage/postgres/connection/database.ts'
import {
  deleteOldHours,
  foldCounters,
} from '../../../../../../src/server/storage/postgres/fleet/upkeep/folding.ts'
import { sampleHealth } from '../../../../../../src/server/storage/postgres/fleet/upkeep/health-samples.ts'
import { insert, openDatabase } from '../open-database.ts'
import { HOUR, NOW, seedFleet, storeProfiles } from '../seeded-fleet.ts'

const TABLES = [
  { table: 'adoption', step: 'day', closed: dayOf(NOW - HOUR), value: 'devices' },
  { table: 'hourly_adoption', step: 'hour', closed: hourOf(NOW - HOUR), value: 'devices' },
  { table: 'presence', step: 'day', closed: dayOf(NOW - HOUR), value: 'devices' },
  { table: 'traffic', step: 'hour', closed: hourOf(NOW - HOUR), value: 'check_ins' },
] as const

/** Sums by cell, without the slots and zeros. */
async function sums(database: PostgresDatabase) {
  const read: Record<string, number> = {}
  for (const { table, step, value } of TABLES) {
    const of = table === 'traffic' ? 'channel_key' : 'profile'
    const rows = await database.rows<{ of: number; step: number; value: number }>(
      `SELECT ${of} AS of, ${step} AS step, ${value} AS value FROM ${table}`,
    )
    for (const row of rows) {
      const cell = `${table} ${row.of} ${row.step}`
      read[cell] = (read[cell] ?? 0) + row.value
    }
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== 0))
}

test('closed days and hours are one row, and every sum stays', async () => {
  const database = await openDatabase()
  await seedFleet(database)
  const before = await sums(database)
  expect(await foldCounters(database, NOW)).toBeGreaterThan(100)
  expect(await sums(database)).toEqual(before)
  for (const { table, step, closed, value } of TABLES) {
    const left = await database.rows<{ slot: number; step: number; value: number }>(
      `SELECT slot, ${step} AS step, ${value} AS value FROM ${table}`,
    )
    expect(left.filter((row) => row.slot === 0 && row.value === 0)).toEqual([])
    expect(left.every((row) => (row.slot === 0) === row.step < closed)).toBe(true)
    expect(left.some((row) => row.slot !== 0)).toBe(true)
  }
  expect(await foldCounters(database, NOW)).toBe(0)
})

test('a fold is exact while nodes write, and leaves rows that they hold', async () => {
  const database = await openDatabase()
  const day = dayOf(NOW) - 3
  await insert(database, 'presence', 'profile, day, slot, devices', [
    [1, day, 1, 5],
    [2, day, 1, 7],
  ])
  const add = `INSERT INTO presence AS known VALUES ($1, $2, $3, $4)
    ON CONFLICT (profile, day, slot) DO UPDATE SET devices = known.devices + excluded.devices`
  await database.transaction(async (tx) => {
    await tx.run(add, [1, day, 1, -2])
    expect(await foldCounters(database, NOW)).toBe(1)
  })
  const expected = { [`presence 1 ${day}`]: 3, [`presence 2 ${day}`]: 7 }
  expect(await sums(database)).toEqual(expected)
  const writers = [1, 2, 3].map(async (slot) => {
    for (let n = 0; n < 40; n++) await database.run(add, [1 + (n % 2), day, slot, n % 3])
  })
  let isWriting = true
  const folding = (async () => {
    while (isWriting) await foldCounters(database, NOW)
  })()
  await Promise.all(writers)
  isWriting = false
  await folding
  const added = (profile: number) =>
    Array.from({ length: 40 }, (_, n) => (1 + (n % 2) === profile ? n % 3 : 0)).reduce(
      (sum, n) => sum + n,
    ) * 3
  await foldCounters(database, NOW)
  expect(await database.rows('SELECT * FROM presence ORDER BY profile')).toEqual([
    { profile: 1, day, slot: 0, devices: 3 + added(1) },
    { profile: 2, day, slot: 0, devices: 7 + added(2) },
  ])
})

test('hourly adoption is kept for 8 days', async () => {
  const database = await openDatabase()
  const first = hourOf(NOW) - 192
  const hours = Array.from({ length: 2_500 }, (_, n) => [1, first - n, 1, 1])
  await insert(database, 'hourly_adoption', 'profile, hour, slot, devices', hours)
  expect(await deleteOldHours(database, NOW)).toBe(2_499)
  expect(await database.rows('SELECT hour FROM hourly_adoption')).toEqual([{ hour: first }])
})

test('releases of the last 30 days are sampled once an hour, the newest 20 of a channel', async () => {
  const database = await openDatabase()
  await storeProfiles(database)
  const columns = 'number, release_id, channel_key, version, offered_at'
  const release = (number: number, channel: number, hours: number) => {
    return [number, `r${number}`, channel, `${number}.0.0`, NOW - hours * HOUR - 1]
  }
  await insert(database, 'offered_releases', columns, [
    ...Array.from({ length: 22 }, (_, n) => release(n + 1, 1, 30 - n)),
    ...[release(40, 2, 720), release(41, 2, 721), release(42, 2, -2)],
  ])
  const counts = (devices: number) =>
    database.run('UPDATE release_counts SET devices = $1', [devices])
  await insert(database, 'release_counts', 'release, cell, slot, devices', [[22, ADOPTED, 1, 4]])
  await insert(
    database,
    'health_samples',
    'release, age, waiting, adopted, stuck, reverted, silent, reported',
    [[1, 3, 0, 0, 0, 0, 0, 0]],
  )
  await Promise.all([sampleHealth(database, NOW), sampleHealth(database, NOW)])
  const read = () =>
    database.rows<{ release: number; age: number; adopted: number }>(
      'SELECT release, age, adopted FROM health_samples ORDER BY release, age',
    )
  const first = await read()
  const newest = Array.from({ length: 20 }, (_, n) => n + 3)
  expect(first).toEqual([
    ...newest.map((n) => ({ release: n, age: 31 - n, adopted: n === 22 ? 4 : 0 })),
    { release: 40, age: 720, adopted: 0 },
  ])
  await counts(9)
  await sampleHealth(database, NOW)
  expect(await read()).toEqual(first)
  await sampleHealth(database, NOW + HOUR)
  const later = (await read()).filter(({ release: of }) => of === 22)
  expect(later).toEqual([
    { release: 22, age: 9, adopted: 4 },
    { release: 22, age: 10, adopted: 9 },
  ])
})
