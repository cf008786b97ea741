import { SAMPLED_RELEASES } from '../../../../fleet/facts.ts'
import { hourOf } from '../../../../fleet/time.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Transaction } from '../../connection/queries.ts'
import { channelHealth, type NumberedCount } from '../reads/health-reads.ts'

/** Hours since the first offer after which a release is no longer sampled: 30 days. */
const SAMPLED_HOURS = 30 * 24

const RECENT = `SELECT number, channel_key, row_number() OVER (
    PARTITION BY channel_key ORDER BY number DESC) AS place, ($1::bigint - offered_at) / 3600000 AS age
  FROM offered_releases WHERE offered_at <= $1`

const SQL = {
  // Channels with a release that is recent and has no sample of the hour.
  due: `SELECT DISTINCT channel_key AS "channelKey" FROM (${RECENT}) AS recent
    WHERE place <= ${SAMPLED_RELEASES} AND age <= ${SAMPLED_HOURS} AND NOT EXISTS (
      SELECT 1 FROM health_samples WHERE release = number AND health_samples.age = recent.age)`,
  // Nothing is added to a channel that is being removed.
  keep: 'SELECT 1 FROM channels WHERE key = $1 FOR KEY SHARE',
  add: `INSERT INTO health_samples (release, age, waiting, adopted, stuck, reverted, silent, reported)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
  // Without the newest.
  trim: `DELETE FROM health_samples WHERE release IN (
    SELECT number FROM offered_releases WHERE channel_key = $1
    ORDER BY number DESC OFFSET ${SAMPLED_RELEASES})`,
} as const

/**
 * Stores what the counters of recent releases say at `now` (Unix ms), once for each hour since their first offer. Several
 * nodes can do this at once. Rejects with `StorageError`.
 */
export async function sampleHealth(database: PostgresDatabase, now: number): Promise<void> {
  for (const { channelKey } of await database.rows<{ channelKey: number }>(SQL.due, [now])) {
    await database.transaction((tx) => sampleChannel(tx, channelKey, now))
  }
}

async function sampleChannel(tx: Transaction, channelKey: number, now: number): Promise<void> {
  if ((await tx.rows(SQL.keep, [channelKey])).length === 0) return
  for (const release of await channelHealth(tx, { channelKey, now, limit: SAMPLED_RELEASES })) {
    const age = hourOf(now - release.offeredAt)
    if (age >= 0 && age <= SAMPLED_HOURS) await tx.run(SQL.add, sampleOf(release, age))
  }
  await tx.run(SQL.trim, [channelKey])
}

function sampleOf({ number, health }: NumberedCount, age: number): number[] {
  const { waiting, adopted, stuck, reverted, silent, reported } = health
  return [number, age, waiting, adopted, stuck, reverted, silent, reported]
}
