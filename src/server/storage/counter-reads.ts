import type { ChannelTraffic, VersionPresence } from '../fleet/store.ts'
import type { Connection } from './database.ts'
import { prepareAll } from './statements.ts'

const SQL = {
  versions: `SELECT channels.name AS channel, profiles.version AS version,
      sum(devices) AS devices,
      sum(CASE WHEN day >= ? THEN devices ELSE 0 END) AS seenToday,
      sum(CASE WHEN day >= ? THEN devices ELSE 0 END) AS seenLast7Days,
      sum(CASE WHEN day >= ? THEN devices ELSE 0 END) AS seenLast30Days
    FROM channels
      JOIN profiles ON profiles.channel_key = channels.key
      JOIN presence ON presence.profile = profiles.id
    WHERE channels.app_key = ? AND devices > 0
    GROUP BY channels.key, profiles.version`,
  traffic: `SELECT channels.name AS channel, coalesce(sum(check_ins), 0) AS checkIns,
      coalesce(sum(anonymous), 0) AS anonymous, coalesce(sum(offers), 0) AS offers
    FROM channels LEFT JOIN traffic ON traffic.channel_key = channels.key AND hour >= ?
    WHERE channels.app_key = ? GROUP BY channels.key`,
} as const

/** Reads the counters of an app as `FleetReads` says. */
export function createCounterReaders(database: Connection) {
  const sql = prepareAll(database, SQL)
  return {
    versions: (appKey: number, today: number) =>
      sql.versions.all(today, today - 6, today - 29, appKey) as VersionPresence[],
    traffic: (appKey: number, hour: number) =>
      sql.traffic.all(hour - 24, appKey) as ChannelTraffic[],
  }
}
