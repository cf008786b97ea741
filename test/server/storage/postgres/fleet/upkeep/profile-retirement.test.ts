// @module-tag postgresql

import { expect, test } from 'vitest'
import { retireProfiles } from '../../../../../../src/server/storage/postgres/fleet/upkeep/profile-retirement.ts'
import { OTHER } from '../../../../../../src/shared/devices/counting.ts'
import { insert, openDatabase } from '../open-database.ts'
import { storeProfiles } from '../seeded-fleet.ts'

/** Profiles 1 to 18 exist; those from 5 on were used lately. */
async function setUp() {
  const database = await openDatabase()
  await storeProfiles(database)
  await database.run('UPDATE profiles SET last_day = CASE WHEN id < 5 THEN 10 ELSE 100 END')
  await database.run(
    "SELECT setval(pg_get_serial_sequence('profiles', 'id'), (SELECT max(id) FROM profiles))",
  )
  const left = async () =>
    (await database.rows<{ id: number }>('SELECT id FROM profiles ORDER BY id')).map(({ id }) => id)
  return { database, left }
}

test('unused profiles are counted as other', async () => {
  const { database, left } = await setUp()
  const cell = 'profile, day, slot, devices'
  await database.run('UPDATE profiles SET named_by = 1 WHERE id = 2')
  await database.run('UPDATE profiles SET last_day = 900 WHERE id = 6')
  // A device that came and left, counted by two nodes; and one that is still there.
  await insert(database, 'presence', cell, [
    ...[
      [1, 10, 1, 1],
      [1, 10, 2, -1],
    ],
    [3, 10, 1, 1],
  ])
  await insert(database, 'adoption', cell, [
    ...[
      [1, 9, 1, 4],
      [1, 9, 2, -1],
      [1, 10, 1, 2],
      [4, 9, 3, 5],
    ],
  ])
  await insert(database, 'hourly_adoption', 'profile, hour, slot, devices', [[4, 240, 1, 6]])
  expect(await retireProfiles(database, 50, 200)).toBe(3)
  const others = await database.rows<{ id: number }>(
    'SELECT id FROM profiles WHERE version = $1 AND platform = $1 AND arch = $1 AND channel_key = 1',
    [OTHER],
  )
  expect(others).toHaveLength(1)
  const profile = others[0]?.id ?? 0
  expect(await left()).toEqual([2, 3, 5, ...Array.from({ length: 12 }, (_, n) => n + 7), profile])
  expect(await database.rows('SELECT * FROM adoption ORDER BY day')).toEqual([
    { profile, day: 9, slot: 0, devices: 8 },
    { profile, day: 10, slot: 0, devices: 2 },
  ])
  expect(await database.rows('SELECT * FROM hourly_adoption')).toEqual([
    { profile, hour: 240, slot: 0, devices: 6 },
  ])
  expect(await database.rows('SELECT * FROM presence')).toEqual([
    { profile: 3, day: 10, slot: 1, devices: 1 },
  ])
  expect(await retireProfiles(database, 50, 200)).toBe(0)
})

test('a profile that a batch uses stays', async () => {
  const { database, left } = await setUp()
  await database.transaction(async (tx) => {
    await tx.rows('SELECT 1 FROM profiles WHERE id = 1 FOR KEY SHARE')
    expect(await retireProfiles(database, 50, 200)).toBe(3)
    await tx.run('UPDATE profiles SET last_day = 100 WHERE id = 1')
  })
  expect(await retireProfiles(database, 50, 200)).toBe(0)
  expect(await left()).toContain(1)
})
