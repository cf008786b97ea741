import { SAMPLED_RELEASES } from '../../../../fleet/facts.ts'
import type { Connection } from '../../database.ts'
import { prepareAll } from '../../statements.ts'
import { createHealthReaders } from '../reads/health-reads.ts'

const HOUR = 3_600_000
/** Hours since the first offer after which a release is no longer sampled: 30 days. */
const SAMPLED_HOURS = 30 * 24

const SQL = {
  channels: 'SELECT key FROM channels',
  // Releases of a channel that are recent and have no sample of the hour.
  due: `SELECT EXISTS (
    SELECT 1 FROM (
      SELECT number, (@now - offered_at) / 3600000 AS age FROM offered_releases
      WHERE channel_key = @channelKey ORDER BY number DESC LIMIT ${SAMPLED_RELEASES}
    ) AS recent WHERE age BETWEEN 0 AND ${SAMPLED_HOURS} AND NOT EXISTS (
      SELECT 1 FROM health_samples WHERE release = number AND health_samples.age = recent.age)
  )`,
  add: `INSERT OR IGNORE INTO health_samples
    (release, age, waiting, adopted, stuck, reverted, silent, reported)
    VALUES ((SELECT number FROM offered_releases WHERE release_id = ?), ?, ?, ?, ?, ?, ?, ?)`,
  // The numbers of a channel's releases, without the newest.
  trim: `DELETE FROM health_samples WHERE release IN (
    SELECT number FROM offered_releases WHERE channel_key = ?
    ORDER BY number DESC LIMIT -1 OFFSET ${SAMPLED_RELEASES})`,
} as const

/** Stores what the counters of releases say, once for each hour of their age. */
export class HealthSamples {
  readonly #sample: (now: number) => void

  constructor(database: Connection) {
    const sql = prepareAll(database, SQL)
    const readers = createHealthReaders(database)
    const sample = database.transaction((channelKey: number, now: number) => {
      const query = { channelKey, now, limit: SAMPLED_RELEASES }
      for (const { id, offeredAt, health } of readers.channelHealth(query)) {
        const age = Math.floor((now - offeredAt) / HOUR)
        if (age < 0 || age > SAMPLED_HOURS) continue
        const { waiting, adopted, stuck, reverted, silent, reported } = health
        sql.add.run(id, age, waiting, adopted, stuck, reverted, silent, reported)
      }
      sql.trim.run(channelKey)
    }).immediate
    this.#sample = (now) => {
      for (const channelKey of sql.channels.pluck().all() as number[]) {
        const isDue = sql.due.pluck().get({ channelKey, now }) === 1
        if (isDue) sample(channelKey, now)
      }
    }
  }

  /** Samples every recent release as of `now` (Unix ms), in one transaction for each channel that has one to write. */
  take(now: number): void {
    this.#sample(now)
  }
}
