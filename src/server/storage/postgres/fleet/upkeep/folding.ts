import { FIRST_HOUR, WEIGHT_ROOM } from '../../../../fleet/health/cells.ts'
import { dayOf, days, hourOf } from '../../../../fleet/time.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import { retried } from './retried.ts'

/** Rows of one statement: some milliseconds. */
const SLICE = 2_000
/** Milliseconds after the end of a day or an hour in which nodes still write much of it. */
const MARGIN = days(1) / 24
/** Hourly adoption is kept for some days only. The daily counter stays. */
const KEEP_HOURS = 8 * 24

interface Counter {
  readonly table: string
  /** The rest of the primary key, before the slot. */
  readonly of: string
  readonly step: 'day' | 'hour'
  readonly values: readonly string[]
}

const COUNTERS: readonly Counter[] = [
  { table: 'adoption', of: 'profile', step: 'day', values: ['devices'] },
  { table: 'hourly_adoption', of: 'profile', step: 'hour', values: ['devices'] },
  { table: 'presence', of: 'profile', step: 'day', values: ['devices'] },
  {
    ...{ table: 'traffic', of: 'channel_key', step: 'hour' },
    values: ['check_ins', 'anonymous', 'offers'],
  },
]

/**
 * Rows that a node writes just now are left for the next time, so neither waits for the other. What a node adds afterwards
 * is a new row of its slot. Within one statement, every reader sees the sum as it was, or as it is then: the same.
 */
const fold = ({ table, of, step, values }: Counter) => `WITH picked AS (
    SELECT ${of}, ${step}, slot FROM ${table} WHERE slot <> 0 AND ${step} < $1
    LIMIT ${SLICE} FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM ${table} AS old USING picked
    WHERE old.${of} = picked.${of} AND old.${step} = picked.${step} AND old.slot = picked.slot
    RETURNING old.*
  ), added AS (
    INSERT INTO ${table} AS known (${of}, ${step}, slot, ${values})
    SELECT ${of}, ${step}, 0, ${values.map((value) => `sum(${value})`)} FROM gone
    GROUP BY ${of}, ${step} ORDER BY ${of}, ${step}
    ON CONFLICT (${of}, ${step}, slot) DO UPDATE
    SET ${values.map((value) => `${value} = known.${value} + excluded.${value}`)}
  ) SELECT count(*) AS folded FROM gone`

const empty = ({ table, step, values }: Counter) => `DELETE FROM ${table}
  WHERE slot = 0 AND ${step} < $1 AND ${values.map((value) => `${value} = 0`).join(' AND ')}`

const STATEMENTS = COUNTERS.map((counter) => {
  return { step: counter.step, fold: fold(counter), empty: empty(counter) }
})

const OLD_HOURS = `DELETE FROM hourly_adoption WHERE (profile, hour, slot) IN (
  SELECT profile, hour, slot FROM hourly_adoption WHERE hour < $1
  LIMIT ${SLICE} FOR UPDATE SKIP LOCKED)`

const RELEASES = {
  // Of nodes that have ended, and of hours that are over, which few devices leave. As `fold`.
  fold: `WITH picked AS (
      SELECT release, cell, slot FROM release_counts WHERE slot <> 0
        AND (slot NOT IN (SELECT slot FROM nodes WHERE ended_at IS NULL)
          OR (cell % ${WEIGHT_ROOM} >= ${FIRST_HOUR} AND cell % ${WEIGHT_ROOM} < $1))
      LIMIT ${SLICE} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM release_counts AS old USING picked
      WHERE old.release = picked.release AND old.cell = picked.cell AND old.slot = picked.slot
      RETURNING old.*
    ), added AS (
      INSERT INTO release_counts AS known (release, cell, slot, devices)
      SELECT release, cell, 0, sum(devices) FROM gone GROUP BY release, cell ORDER BY release, cell
      ON CONFLICT (release, cell, slot) DO UPDATE SET devices = known.devices + excluded.devices
    ) SELECT count(*) AS folded FROM gone`,
  empty: 'DELETE FROM release_counts WHERE slot = 0 AND devices = 0',
} as const

/**
 * Adds what nodes have counted of days and hours that ended an hour or more before `now` (Unix ms) to slot 0, so that there
 * is one row to read. Exact while nodes write. Returns how many rows were folded. Rejects with `StorageError`.
 */
export async function foldCounters(database: PostgresDatabase, now: number): Promise<number> {
  const closed = { day: dayOf(now - MARGIN), hour: hourOf(now - MARGIN) }
  let total = 0
  for (const { step, fold, empty } of STATEMENTS) {
    total += await inSlices(() => foldedBy(database, fold, closed[step]))
    await retried(() => database.run(empty, [closed[step]]))
  }
  return total
}

/**
 * Adds what ended nodes have counted of releases, and every node of hours before `now` (Unix ms), to slot 0. Exact while
 * nodes write. Returns how many rows were folded. Rejects with `StorageError`.
 */
export async function foldReleaseCounts(database: PostgresDatabase, now: number): Promise<number> {
  const total = await inSlices(() => foldedBy(database, RELEASES.fold, hourOf(now)))
  await retried(() => database.run(RELEASES.empty))
  return total
}

/** Deletes hourly adoption that no chart shows: older than 8 days at `now` (Unix ms). Returns how many rows. */
export function deleteOldHours(database: PostgresDatabase, now: number): Promise<number> {
  return inSlices(() => database.run(OLD_HOURS, [hourOf(now) - KEEP_HOURS]))
}

async function foldedBy(database: PostgresDatabase, fold: string, end: number): Promise<number> {
  return (await database.row<{ folded: number }>(fold, [end]))?.folded ?? 0
}

/** Repeats what works on a slice until one is not full. Returns the rows of all. */
async function inSlices(next: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const rows = await retried(next)
    total += rows
    if (rows < SLICE) return total
  }
}
