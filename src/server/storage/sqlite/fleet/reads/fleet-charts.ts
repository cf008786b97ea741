import { bandsOf } from '../../../../fleet/charts/breakdown.ts'
import {
  type ChartQuery,
  type ChartRows,
  MAX_CHANGES,
  type ServingChangeRow,
  type TrafficCount,
  type VersionSteps,
} from '../../../../fleet/charts/charts.ts'
import type { Connection } from '../../database.ts'
import { prepareAll } from '../../statements.ts'
import { createCounterReaders } from './counter-reads.ts'

/** `@channel` is 0 for every channel of the app. */
const CHANNELS = 'channels.app_key = @app AND @channel IN (0, channels.key)'

/** More than a chart has steps. */
const STEP_ROOM = 512

/**
 * Devices and step as one number, and cells in the order of their key: of a hundred versions on
 * eight platforms a week of hours is 134,000 cells, which SQLite takes longer to group, and longer to return as
 * rows, than it takes to read and add them up here.
 */
const cells = (table: string, step: string) => `SELECT devices * ${STEP_ROOM} + ${step} - @from
  FROM profiles CROSS JOIN ${table} AS cells ON cells.profile = profiles.id
    AND ${step} BETWEEN @from AND @to
  WHERE channel_key = @channel AND version = @version`

const SQL = {
  versions: `SELECT DISTINCT channels.key, profiles.version
    FROM channels JOIN profiles ON profiles.channel_key = channels.key WHERE ${CHANNELS}`,
  hours: cells('hourly_adoption', 'hour'),
  days: cells('adoption', 'day'),
  // Hours of one step are added up: 1 of them, or the 24 of a UTC day. Numbers are bound as reals, and dividing
  // by a real keeps the fraction.
  traffic: `SELECT hour / CAST(@width AS INTEGER) AS step, sum(check_ins) AS checkIns, sum(anonymous) AS anonymous,
      sum(offers) AS offers
    FROM channels JOIN traffic ON traffic.channel_key = channels.key
      AND hour BETWEEN @from * @width AND (@to + 1) * @width - 1
    WHERE ${CHANNELS} GROUP BY step`,
  changes: `SELECT at, channel, version, action, before, after FROM audit
    WHERE app = @app AND (@channel IS NULL OR channel = @channel) AND at >= @since
      AND action IN ('release.published', 'release.serving_changed')
    ORDER BY at DESC, id DESC LIMIT ${MAX_CHANGES}`,
} as const

interface Place {
  readonly app: number
  readonly channel: number
}

/** Reads the fleet's charts from counters, all in one snapshot of the database. */
export function createChartReaders(database: Connection) {
  const sql = prepareAll(database, SQL)
  const counters = createCounterReaders(database)
  const [versions, hours, days] = [sql.versions.raw(), sql.hours.pluck(), sql.days.pluck()]

  const adoptionOf = (place: Place, { unit, from, to }: ChartQuery['span']): VersionSteps => {
    const statement = unit === 'hour' ? hours : days
    const byVersion = new Map<string, number[]>()
    for (const [channel, version] of versions.all(place) as [number, string][]) {
      const steps = byVersion.get(version) ?? new Array<number>(to - from + 1).fill(0)
      byVersion.set(version, steps)
      for (const cell of statement.all({ channel, version, from, to }) as number[]) {
        const step = cell % STEP_ROOM
        steps[step] = (steps[step] ?? 0) + (cell - step) / STEP_ROOM
      }
    }
    return byVersion
  }

  const read = (query: ChartQuery): ChartRows => {
    const { span, channel } = query
    const place = { app: query.appKey, channel: channel?.key ?? 0 }
    const width = span.unit === 'hour' ? 1 : 24
    const changes = { app: query.app, channel: channel?.name ?? null, since: query.marksFrom }
    return {
      adoption: bandsOf(span, adoptionOf(place, span)),
      traffic: sql.traffic.all({ ...place, from: span.from, to: span.to, width }) as TrafficCount[],
      versions: counters
        .presence(query.appKey, query.today)
        .filter((version) => channel === null || version.channel === channel.name),
      changes: sql.changes.all(changes) as ServingChangeRow[],
    }
  }
  return { charts: database.transaction(read) }
}
