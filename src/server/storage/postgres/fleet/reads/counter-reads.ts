import type { ChartReads } from '../../../../fleet/charts/charts.ts'
import type { AdoptionCell } from '../../../../fleet/facts.ts'
import type { FleetReads } from '../../../../fleet/store.ts'
import { dayName } from '../../../../fleet/time.ts'
import type { Queries } from '../../connection/queries.ts'
import { named } from '../../connection/statements.ts'

const SQL = {
  presence: named(`SELECT channels.name AS channel, profiles.version, sum(devices) AS devices,
      coalesce(sum(devices) FILTER (WHERE day >= @today::integer), 0) AS "seenToday",
      coalesce(sum(devices) FILTER (WHERE day >= @today - 6), 0) AS "seenLast7Days",
      coalesce(sum(devices) FILTER (WHERE day >= @today - 29), 0) AS "seenLast30Days"
    FROM channels JOIN profiles ON profiles.channel_key = channels.key
      JOIN presence ON presence.profile = profiles.id
    WHERE channels.app_key = @app GROUP BY channels.key, profiles.version
    HAVING sum(devices) > 0 ORDER BY channels.key, profiles.version`),
  platformsOn: `SELECT platform, arch, sum(devices) AS devices
    FROM profiles JOIN presence ON presence.profile = profiles.id
    WHERE channel_key = $1 AND version = $2 GROUP BY platform, arch HAVING sum(devices) > 0
    ORDER BY platform, arch`,
  traffic: `SELECT channels.name AS channel, coalesce(sum(check_ins), 0) AS "checkIns",
      coalesce(sum(anonymous), 0) AS anonymous, coalesce(sum(offers), 0) AS offers
    FROM channels LEFT JOIN traffic ON traffic.channel_key = channels.key AND hour >= $1
    WHERE channels.app_key = $2 GROUP BY channels.key ORDER BY channels.key`,
  totals: `SELECT key AS "channelKey",
      coalesce((SELECT sum(devices) FROM profiles JOIN presence ON presence.profile = profiles.id
        WHERE profiles.channel_key = channels.key), 0) AS devices,
      coalesce((SELECT sum(check_ins) FROM traffic
        WHERE traffic.channel_key = channels.key AND hour >= $1), 0) AS "checkIns"
    FROM channels ORDER BY key`,
  adoption: `SELECT day, channels.name AS channel, profiles.version, sum(devices) AS devices
    FROM channels JOIN profiles ON profiles.channel_key = channels.key
      JOIN adoption ON adoption.profile = profiles.id AND day BETWEEN $1 AND $2
    WHERE channels.app_key = $3 GROUP BY day, channels.key, profiles.version
    HAVING sum(devices) > 0 ORDER BY day, channels.key, profiles.version`,
} as const

type CounterReads = Pick<FleetReads, 'presence' | 'traffic' | 'channelTotals' | 'adoption'> &
  Pick<ChartReads, 'platformsOn'>

/**
 * Reads the counters of `FleetReads` and `ChartReads`. Each is one statement, which sees one snapshot, so that a device that
 * moves between channels or nodes counts once.
 */
export function counterReads(queries: Queries): CounterReads {
  return {
    presence: (app, today) => queries.rows(SQL.presence, { app, today }),
    platformsOn: (channelKey, version) => queries.rows(SQL.platformsOn, [channelKey, version]),
    traffic: (appKey, hour) => queries.rows(SQL.traffic, [hour - 24, appKey]),
    channelTotals: (hour) => queries.rows(SQL.totals, [hour - 24]),
    async adoption(appKey, from, to) {
      type Row = Omit<AdoptionCell, 'day'> & { readonly day: number }
      const rows = await queries.rows<Row>(SQL.adoption, [from, to, appKey])
      return rows.map((row) => ({ ...row, day: dayName(row.day) }))
    },
  }
}
