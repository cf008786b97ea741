import { bandsOf } from '../../../../fleet/charts/breakdown.ts'
import {
  type ChartQuery,
  type ChartReads,
  type ChartRows,
  MAX_CHANGES,
  type VersionSteps,
} from '../../../../fleet/charts/charts.ts'
import type { AdoptionCell } from '../../../../fleet/facts.ts'
import type { CountedRelease } from '../../../../fleet/health/facts.ts'
import type { FleetReads } from '../../../../fleet/store.ts'
import { dayName } from '../../../../fleet/time.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Queries, Transaction } from '../../connection/queries.ts'
import { named } from '../../connection/statements.ts'
import type { PostgresScanTicket } from '../list/scan-reader.ts'
import { deviceViews } from './device-views.ts'
import {
  busyHours,
  channelHealth,
  healthAt,
  type NumberedCount,
  outcomeDetails,
  releaseHealth,
} from './health-reads.ts'

const COUNTER_SQL = {
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
function counterReads(queries: Queries): CounterReads {
  return {
    presence: (app, today) => queries.rows(COUNTER_SQL.presence, { app, today }),
    platformsOn: (channelKey, version) =>
      queries.rows(COUNTER_SQL.platformsOn, [channelKey, version]),
    traffic: (appKey, hour) => queries.rows(COUNTER_SQL.traffic, [hour - 24, appKey]),
    channelTotals: (hour) => queries.rows(COUNTER_SQL.totals, [hour - 24]),
    async adoption(appKey, from, to) {
      type Row = Omit<AdoptionCell, 'day'> & { readonly day: number }
      const rows = await queries.rows<Row>(COUNTER_SQL.adoption, [from, to, appKey])
      return rows.map((row) => ({ ...row, day: dayName(row.day) }))
    },
  }
}

/** `@channel` is 0 for every channel of the app. */
const CHANNELS = 'channels.app_key = @app AND @channel::integer IN (0, channels.key)'

/** One row for each version: of a hundred versions, a week has 17,000 steps, which take longer to read as rows. */
const cells = (table: string, step: string) =>
  named(`SELECT version, json_agg(step) AS steps, json_agg(devices) AS devices FROM (
    SELECT profiles.version, ${step} - @from::integer AS step, sum(devices)::bigint AS devices
    FROM channels JOIN profiles ON profiles.channel_key = channels.key
      JOIN ${table} AS cells ON cells.profile = profiles.id AND ${step} BETWEEN @from AND @to
    WHERE ${CHANNELS} GROUP BY profiles.version, ${step}
  ) AS sums GROUP BY version`)

const SQL = {
  scanned: `SELECT coalesce(sum(devices), 0) AS devices,
      coalesce((SELECT number FROM offered_releases WHERE release_id = $2), 0) AS release
    FROM profiles JOIN presence ON presence.profile = profiles.id WHERE channel_key = $1`,
  hours: cells('hourly_adoption', 'hour'),
  days: cells('adoption', 'day'),
  // Hours of one step are added up: 1 of them, or the 24 of a UTC day.
  traffic: named(`SELECT hour / @width::integer AS step, sum(check_ins) AS "checkIns",
      sum(anonymous) AS anonymous, sum(offers) AS offers
    FROM channels JOIN traffic ON traffic.channel_key = channels.key
      AND hour BETWEEN @from::integer * @width AND (@to::integer + 1) * @width - 1
    WHERE ${CHANNELS} GROUP BY step ORDER BY step`),
  changes: named(`SELECT at, channel, version, action, before, after FROM audit
    WHERE app = @app AND (@channel::text IS NULL OR channel = @channel) AND at >= @since
      AND action IN ('release.published', 'release.serving_changed')
    ORDER BY at DESC, id DESC LIMIT ${MAX_CHANGES}`),
} as const

/** As `ChartReads.charts`. `snapshot`: of one transaction that sees one snapshot. */
async function charts(snapshot: Queries, query: ChartQuery): Promise<ChartRows> {
  const { span, channel } = query
  const place = { app: query.appKey, channel: channel?.key ?? 0, from: span.from, to: span.to }
  const width = span.unit === 'hour' ? 1 : 24
  const changes = { app: query.app, channel: channel?.name ?? null, since: query.marksFrom }
  const versions = await counterReads(snapshot).presence(query.appKey, query.today)
  return {
    adoption: bandsOf(span, await adoptionOf(snapshot, span, place)),
    traffic: await snapshot.rows(SQL.traffic, { ...place, width }),
    versions: versions.filter((version) => channel === null || version.channel === channel.name),
    changes: await snapshot.rows(SQL.changes, changes),
  }
}

async function adoptionOf(
  snapshot: Queries,
  { unit, from, to }: ChartQuery['span'],
  place: Readonly<Record<string, number>>,
): Promise<VersionSteps> {
  const statement = unit === 'hour' ? SQL.hours : SQL.days
  type Row = { readonly version: string; readonly steps: string; readonly devices: string }
  const rows = await snapshot.rows<Row>(statement, place)
  return new Map(
    rows.map(({ version, steps, devices }) => {
      const counts: number[] = JSON.parse(devices)
      const filled = new Array<number>(to - from + 1).fill(0)
      for (const [at, step] of (JSON.parse(steps) as number[]).entries()) {
        filled[step] = counts[at] ?? 0
      }
      return [version, filled] as const
    }),
  )
}

/** Reads the committed fleet: the sums of what all nodes count, and devices. `settle`: see `deviceViews`. */
export function fleetReads(database: PostgresDatabase, settle?: () => Promise<void>) {
  const inOneView = <T>(read: (snapshot: Transaction) => Promise<T>): Promise<T> =>
    database.transaction(read, { snapshot: true })
  return {
    ...counterReads(database),
    ...deviceViews(database, settle),
    async scan({ channelKey, releaseId = '' }) {
      const asked = [channelKey, releaseId]
      const row = await database.row<{ devices: number; release: number }>(SQL.scanned, asked)
      const { devices = 0, release = 0 } = row ?? {}
      const { url } = database
      const ticket: PostgresScanTicket = { store: 'postgres', url, channelKey, release }
      return { devices, ticket }
    },
    charts: (query) => inOneView((snapshot) => charts(snapshot, query)),
    async channelHealth(query) {
      const counted = await inOneView((snapshot) => channelHealth(snapshot, query))
      return counted.map(withoutNumber)
    },
    async releaseHealth(releaseId, now) {
      const counted = await inOneView((snapshot) => releaseHealth(snapshot, releaseId, now))
      return counted === null ? null : withoutNumber(counted)
    },
    busyHours: (hour) => busyHours(database, hour),
    healthAt: (releaseId, age) => healthAt(database, releaseId, age),
    outcomeDetails: (releaseId, limit) => outcomeDetails(database, releaseId, limit),
  } satisfies FleetReads & ChartReads
}

function withoutNumber({ number: _number, ...release }: NumberedCount): CountedRelease {
  return release
}
