import type { PlatformCount } from '../../../../fleet/charts/charts.ts'
import type { ChannelTotals, ChannelTraffic, VersionPresence } from '../../../../fleet/facts.ts'
import type { Connection } from '../../database.ts'
import { prepareAll } from '../../statements.ts'

const SQL = {
  channels: 'SELECT key, name FROM channels WHERE app_key = ? ORDER BY key',
  // Within a channel, the index of profiles is ordered by version, so nothing is sorted.
  presence: `SELECT profiles.version AS version,
      sum(devices) AS devices,
      sum(CASE WHEN day >= @today THEN devices ELSE 0 END) AS seenToday,
      sum(CASE WHEN day >= @today - 6 THEN devices ELSE 0 END) AS seenLast7Days,
      sum(CASE WHEN day >= @today - 29 THEN devices ELSE 0 END) AS seenLast30Days
    FROM profiles CROSS JOIN presence ON presence.profile = profiles.id
    WHERE channel_key = @channel AND devices > 0 GROUP BY profiles.version`,
  // One range of the index of profiles, however many devices there are.
  platformsOn: `SELECT platform, arch, sum(devices) AS devices
    FROM profiles CROSS JOIN presence ON presence.profile = profiles.id
    WHERE channel_key = ? AND version = ? GROUP BY platform, arch HAVING sum(devices) > 0`,
  traffic: `SELECT channels.name AS channel, coalesce(sum(check_ins), 0) AS checkIns,
      coalesce(sum(anonymous), 0) AS anonymous, coalesce(sum(offers), 0) AS offers
    FROM channels LEFT JOIN traffic ON traffic.channel_key = channels.key AND hour >= ?
    WHERE channels.app_key = ? GROUP BY channels.key`,
  known: `SELECT channel_key AS channelKey, sum(devices) AS devices
    FROM profiles JOIN presence ON presence.profile = profiles.id GROUP BY channel_key`,
  // One index lookup per channel, however long the counters are kept.
  checkIns: `SELECT channels.key AS channelKey, coalesce(sum(check_ins), 0) AS checkIns
    FROM channels LEFT JOIN traffic ON traffic.channel_key = channels.key AND hour >= ?
    GROUP BY channels.key`,
} as const

/** Implements the counters of `FleetReads`, and `platformsOn` of `ChartReads`. */
export function createCounterReaders(database: Connection) {
  const sql = prepareAll(database, SQL)
  const presenceOf = (appKey: number, today: number): VersionPresence[] => {
    const channels = sql.channels.all(appKey) as { key: number; name: string }[]
    return channels.flatMap(({ key, name }) => {
      const rows = sql.presence.all({ channel: key, today }) as Omit<VersionPresence, 'channel'>[]
      return rows.map((row) => ({ channel: name, ...row }))
    })
  }
  const totals = (hour: number): ChannelTotals[] => {
    const known = sql.known.all() as { channelKey: number; devices: number }[]
    const devicesOf = new Map(known.map(({ channelKey, devices }) => [channelKey, devices]))
    const checkIns = sql.checkIns.all(hour - 24) as { channelKey: number; checkIns: number }[]
    return checkIns.map((row) => ({ ...row, devices: devicesOf.get(row.channelKey) ?? 0 }))
  }
  return {
    channelTotals: database.transaction(totals),
    // One snapshot for all channels, so that a device that moves counts once.
    presence: database.transaction(presenceOf),
    platformsOn: (channelKey: number, version: string) =>
      sql.platformsOn.all(channelKey, version) as PlatformCount[],
    traffic: (appKey: number, hour: number) =>
      sql.traffic.all(hour - 24, appKey) as ChannelTraffic[],
  }
}
