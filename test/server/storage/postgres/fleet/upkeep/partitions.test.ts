// @module-tag postgresql

import { expect, test } from 'vitest'
import { dayOf, days } from '../../../../../../src/server/fleet/time.ts'
import type { PostgresDatabase } from '../../../../../../src/server/storage/postgres/connection/database.ts'
import { firstIdOf } from '../../../../../../src/server/storage/postgres/fleet/ingest/id-blocks.ts'
import {
  dropPartitions,
  ensurePartitions,
  summarize,
} from '../../../../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import { insert, openDatabase } from '../open-database.ts'

const NOW = Date.parse('2026-03-14T23:00:00Z')
const TODAY = dayOf(NOW)

function store(database: PostgresDatabase, days: readonly number[], ids: number): Promise<void> {
  const rows = days.flatMap((day) =>
    Array.from({ length: ids }, (_, n) => [firstIdOf(day) + n, 1, NOW, 1, 0, 0]),
  )
  return insert(database, 'check_ins', 'id, device, at, profile, kind, previous', rows)
}

async function storedDays(database: PostgresDatabase): Promise<number[]> {
  const rows = await database.rows<{ id: number }>('SELECT id FROM check_ins ORDER BY id')
  return rows.map(({ id }) => id / firstIdOf(1))
}

function partitions(database: PostgresDatabase): Promise<{ name: string; indexed: number }[]> {
  return database.rows(`SELECT inhrelid::regclass::text AS name, (SELECT count(*) FROM pg_index
      JOIN pg_inherits AS of_index ON of_index.inhrelid = indexrelid
      WHERE indrelid = tables.inhrelid AND of_index.inhparent = 'check_ins_by_id'::regclass) AS indexed
    FROM pg_inherits AS tables WHERE inhparent = 'check_ins'::regclass ORDER BY 1`)
}

test('several nodes at once create the same partitions, from 2 days back to 2 ahead', async () => {
  const database = await openDatabase()
  await Promise.all([1, 2, 3, 4, 5].map(() => ensurePartitions(database, NOW)))
  expect(await partitions(database)).toEqual(
    [12, 13, 14, 15, 16].map((day) => ({ name: `check_ins_2026_03_${day}`, indexed: 1 })),
  )
  const around = [-2, -1, 0, 1, 2].map((by) => TODAY + by)
  await store(database, around, 1)
  expect(await storedDays(database)).toEqual(around)
  await expect(store(database, [TODAY + 3], 1)).rejects.toMatchObject({ code: 'rejected' })
  await ensurePartitions(database, NOW + days(1))
  await store(database, [TODAY + 3], 1)
})

test('partitions are created while a transaction stores check-ins', async () => {
  const database = await openDatabase()
  await ensurePartitions(database, NOW)
  await database.transaction(async (tx) => {
    await tx.run('INSERT INTO check_ins VALUES ($1, 1, 1, 1, 0, 0)', [firstIdOf(TODAY)])
    await ensurePartitions(database, NOW + days(3))
  })
  expect(await partitions(database)).toHaveLength(8)
})

test('only days that have ended before a time are dropped', async () => {
  const database = await openDatabase()
  await ensurePartitions(database, NOW)
  await store(database, [TODAY - 2, TODAY - 1, TODAY], 1)
  expect(await dropPartitions(database, days(TODAY - 1) - 1)).toBe(0)
  expect(await dropPartitions(database, days(TODAY - 1))).toBe(1)
  expect(await storedDays(database)).toEqual([TODAY - 1, TODAY])
  expect(await dropPartitions(database, days(TODAY) + 1)).toBe(1)
  expect(await storedDays(database)).toEqual([TODAY])
})

test('a partition in use is dropped as soon as it is free', async () => {
  const database = await openDatabase()
  await ensurePartitions(database, NOW)
  await store(database, [TODAY - 2], 1)
  let dropped: Promise<number> | undefined
  await database.transaction(async (tx) => {
    await tx.rows('SELECT id FROM check_ins')
    dropped = dropPartitions(database, days(TODAY - 1))
    // The log can be written while somebody waits to drop a part of it, or right after it gave up.
    await store(database, [TODAY], 1)
  })
  expect(await dropped).toBe(1)
  expect(await storedDays(database)).toEqual([TODAY])
})

test('check-ins of today and yesterday are summarized', async () => {
  const database = await openDatabase()
  await ensurePartitions(database, NOW)
  await store(database, [TODAY - 1, TODAY], 8_000)
  await summarize(database, NOW)
  for (const name of ['check_ins_2026_03_13', 'check_ins_2026_03_14']) {
    const left = await database.row(
      `SELECT brin_summarize_new_values(indexrelid) AS left FROM pg_index WHERE indrelid = $1::text::regclass`,
      [name],
    )
    expect(left).toEqual({ left: 0 })
  }
})
