import {
  type AdoptionCount,
  type ChartQuery,
  type ChartReads,
  type ChartRows,
  MAX_CHANGES,
  type PlatformCount,
  type ServingChangeRow,
  type TrafficCount,
} from '../fleet/charts.ts'
import { createCounterReaders } from './counter-reads.ts'
import type { Connection } from './database.ts'
import { prepareAll } from './statements.ts'

/** `@channel` is 0 for every channel of the app. */
const CHANNELS = 'channels.app_key = @app AND @channel IN (0, channels.key)'

const SQL = {
  byHour: `SELECT hour AS step, profiles.version AS version, sum(devices) AS devices
    FROM channels
      JOIN profiles ON profiles.channel_key = channels.key
      JOIN hourly_adoption AS cells ON cells.profile = profiles.id AND hour BETWEEN @from AND @to
    WHERE ${CHANNELS} GROUP BY hour, profiles.version`,
  byDay: `SELECT day AS step, profiles.version AS version, sum(devices) AS devices
    FROM channels
      JOIN profiles ON profiles.channel_key = channels.key
      JOIN adoption AS cells ON cells.profile = profiles.id AND day BETWEEN @from AND @to
    WHERE ${CHANNELS} GROUP BY day, profiles.version`,
  // Hours of one step are added up: 1 of them, or the 24 of a UTC day. A number is bound as a
  // real, and a division by one has a fraction.
  traffic: `SELECT hour / CAST(@width AS INTEGER) AS step, sum(check_ins) AS checkIns, sum(anonymous) AS anonymous,
      sum(offers) AS offers
    FROM channels JOIN traffic ON traffic.channel_key = channels.key
      AND hour BETWEEN @from * @width AND (@to + 1) * @width - 1
    WHERE ${CHANNELS} GROUP BY step`,
  platforms: `SELECT profiles.platform AS platform, profiles.arch AS arch, sum(devices) AS devices
    FROM channels
      JOIN profiles ON profiles.channel_key = channels.key
      JOIN presence ON presence.profile = profiles.id AND day >= @since
    WHERE ${CHANNELS} GROUP BY profiles.platform, profiles.arch`,
  changes: `SELECT at, channel, version, action, before, after FROM audit
    WHERE app = @app AND (@channel IS NULL OR channel = @channel) AND at >= @since
      AND action IN ('release.published', 'release.serving_changed')
    ORDER BY id DESC LIMIT ${MAX_CHANGES}`,
} as const

/** Reads what the charts of the fleet show from counters, all in one view of the database. */
export function createChartReaders(database: Connection): ChartReads {
  const sql = prepareAll(database, SQL)
  const counters = createCounterReaders(database)
  const read = (query: ChartQuery): ChartRows => {
    const { span, channel } = query
    const place = { app: query.appKey, channel: channel?.key ?? 0 }
    const steps = { ...place, from: span.from, to: span.to }
    const adoption = span.unit === 'hour' ? sql.byHour : sql.byDay
    const changes = { app: query.app, channel: channel?.name ?? null, since: query.marksFrom }
    return {
      adoption: adoption.all(steps) as AdoptionCount[],
      traffic: sql.traffic.all({
        ...steps,
        width: span.unit === 'hour' ? 1 : 24,
      }) as TrafficCount[],
      platforms: sql.platforms.all({ ...place, since: query.platformsFrom }) as PlatformCount[],
      versions: counters
        .versions(query.appKey, query.today)
        .filter((version) => channel === null || version.channel === channel.name),
      changes: sql.changes.all(changes) as ServingChangeRow[],
    }
  }
  return { charts: database.transaction(read) }
}
