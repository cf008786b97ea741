import { FIRST_HOUR, WEIGHT_ROOM } from '../../../../fleet/health/cells.ts'
import { hourOf } from '../../../../fleet/time.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import { retried } from './retried.ts'

/** Rows of one statement: some milliseconds. */
const SLICE = 2_000

const SQL = {
  // Of nodes that have ended, and of hours that are over, which few devices leave. As `foldCounters`.
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
 * Adds what ended nodes have counted of releases, and every node of hours before `now` (Unix ms), to slot 0. Exact while
 * nodes write. Returns how many rows were folded. Rejects with `StorageError`.
 */
export async function foldReleaseCounts(database: PostgresDatabase, now: number): Promise<number> {
  const next = async () =>
    (await database.row<{ folded: number }>(SQL.fold, [hourOf(now)]))?.folded ?? 0
  let total = 0
  let folded: number
  do {
    folded = await retried(next)
    total += folded
  } while (folded === SLICE)
  await retried(() => database.run(SQL.empty))
  return total
}
