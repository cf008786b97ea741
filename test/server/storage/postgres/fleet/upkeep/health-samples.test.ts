// @module-tag postgresql

import { expect, test } from 'vitest'
import { ADOPTED } from '../../../../../../src/server/fleet/health/episode.ts'
import { sampleHealth } from '../../../../../../src/server/storage/postgres/fleet/upkeep/health-samples.ts'
import { insert, openDatabase } from '../open-database.ts'
import { HOUR, NOW, storeProfiles } from '../seeded-fleet.ts'

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
