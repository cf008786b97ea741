import { OTHER } from '../../../../../shared/devices/counting.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Transaction } from '../../connection/queries.ts'
import { retried } from './retried.ts'

/** Most profiles of one call. */
const MOST = 100
/** Milliseconds that it waits for nodes that write counters of the profile. Shorter than PostgreSQL waits in a circle. */
const LOCK_TIME = 200
/** As profiles that a release vouches for. */
const NAMED_BY_RELEASE = 1

// No device has it: presence counts each under its present profile.
const UNUSED = `named_by = 0 AND (last_day < $1 OR last_day > $2)
  AND coalesce((SELECT sum(devices) FROM presence WHERE profile = profiles.id), 0) = 0`

const fold = (table: string, step: string) => `WITH gone AS (
    DELETE FROM ${table} WHERE profile = $1 RETURNING ${step}, devices
  ) INSERT INTO ${table} AS known (profile, ${step}, slot, devices)
  SELECT $2, ${step}, 0, sum(devices) FROM gone GROUP BY ${step} HAVING sum(devices) <> 0
  ON CONFLICT (profile, ${step}, slot) DO UPDATE SET devices = known.devices + excluded.devices`

const SQL = {
  candidates: `SELECT id FROM profiles WHERE ${UNUSED} ORDER BY id LIMIT ${MOST}`,
  lock: `SELECT channel_key AS "channelKey" FROM profiles WHERE id = $1 FOR UPDATE SKIP LOCKED`,
  // A statement of its own, so that it sees what was committed before the lock.
  isUnused: `SELECT 1 FROM profiles WHERE id = $3 AND ${UNUSED}`,
  other: `INSERT INTO profiles AS known (channel_key, version, platform, arch, named_by)
    VALUES ($1, $2, $2, $2, ${NAMED_BY_RELEASE})
    ON CONFLICT (channel_key, version, platform, arch)
    DO UPDATE SET named_by = greatest(known.named_by, excluded.named_by) RETURNING id`,
  adoption: fold('adoption', 'day'),
  hourly: fold('hourly_adoption', 'hour'),
  presence: fold('presence', 'day'),
  delete: 'DELETE FROM profiles WHERE id = $1',
} as const

/**
 * Deletes unverified profiles that no device has and that were last used before the UTC day `before` or, because of a wrong
 * clock, after the day `after`; they are then counted as other. Skips those that a transaction has locked, so a batch that
 * uses a profile must lock its row (`FOR KEY SHARE`), and do without the profile if the row is gone. Returns how many were
 * deleted, at most 100. Rejects with `StorageError`.
 */
export async function retireProfiles(
  database: PostgresDatabase,
  before: number,
  after: number,
): Promise<number> {
  let retired = 0
  for (const { id } of await database.rows<{ id: number }>(SQL.candidates, [before, after])) {
    const retire = () =>
      database.transaction((tx) => retireProfile(tx, id, before, after), { lockTime: LOCK_TIME })
    if (await retried(retire)) retired++
  }
  return retired
}

async function retireProfile(
  tx: Transaction,
  id: number,
  before: number,
  after: number,
): Promise<boolean> {
  const profile = await tx.row<{ channelKey: number }>(SQL.lock, [id])
  if (profile === undefined) return false
  if ((await tx.row(SQL.isUnused, [before, after, id])) === undefined) return false
  const other = await tx.row<{ id: number }>(SQL.other, [profile.channelKey, OTHER])
  if (other === undefined || other.id === id) return false
  for (const statement of [SQL.adoption, SQL.hourly, SQL.presence]) {
    await tx.run(statement, [id, other.id])
  }
  await tx.run(SQL.delete, [id])
  return true
}
