import type { Dashboard, DashboardInput } from '../../../shared/console/fleet.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { platformsOf } from '../../fleet/charts/breakdown.ts'
import type { ChartQuery, ChartRows } from '../../fleet/charts/charts.ts'
import {
  fillSteps,
  firstDayOf,
  spanOf,
  stepStart,
  stepStarts,
} from '../../fleet/charts/charts-span.ts'
import { dayOf } from '../../fleet/time.ts'
import { findApp } from '../../updates/principal.ts'
import type { ConsoleContext } from '../context.ts'
import { marksOf } from './fleet-marks.ts'

/**
 * Returns what the fleet's screen shows, as of `now` (Unix milliseconds), from counters on the reader thread.
 * Throws `unknown` (app, channel).
 */
export async function dashboardOf(
  ctx: Pick<ConsoleContext, 'catalog' | 'fleet' | 'principal'>,
  input: DashboardInput,
  now: number,
): Promise<Dashboard> {
  const app = findApp(ctx.catalog.snapshot, ctx.principal, input.app)
  const chosen = input.channel === undefined ? null : requireChannel(app, input.channel)
  const channels = chosen === null ? [...app.channels.values()] : [chosen]
  const span = spanOf(input.range, now)
  const begin = stepStart(span.unit, span.from)
  const { key: appKey, createdAt } = app.record
  const query: ChartQuery = {
    appKey,
    app: app.record.ref,
    channel: chosen && { key: chosen.record.key, name: chosen.record.name },
    span,
    platformsFrom: firstDayOf(input.range, now),
    today: dayOf(now),
    // An app that was removed may have had the same ref.
    marksFrom: createdAt > begin ? createdAt : begin,
  }
  const rows = await ctx.fleet.charts(query)
  return {
    unit: span.unit,
    steps: stepStarts(span),
    adoption: rows.adoption,
    traffic: {
      checkIns: fillSteps(span, rows.traffic, ({ checkIns }) => checkIns),
      anonymous: fillSteps(span, rows.traffic, ({ anonymous }) => anonymous),
      offers: fillSteps(span, rows.traffic, ({ offers }) => offers),
    },
    platforms: {
      since: stepStart('day', query.platformsFrom),
      rows: platformsOf(rows.platforms),
    },
    totals: totalsOf(rows.versions, channels),
    marks: rows.changes.toReversed().flatMap(marksOf),
  }
}

function totalsOf(
  versions: ChartRows['versions'],
  channels: readonly CatalogChannel[],
): Dashboard['totals'] {
  const newestOf = new Map(
    channels.map(({ record, compiled }) => [
      record.name,
      compiled.published.at(-1)?.facts.version ?? null,
    ]),
  )
  const sum = (of: (version: ChartRows['versions'][number]) => number) =>
    versions.reduce((total, version) => total + of(version), 0)
  const seenLast7Days = sum((version) => version.seenLast7Days)
  const onNewest = sum(({ channel, version, seenLast7Days: devices }) =>
    newestOf.get(channel) === version ? devices : 0,
  )
  const [only] = newestOf.values()
  const anyNewest = [...newestOf.values()].some((version) => version !== null)
  return {
    devices: sum(({ devices }) => devices),
    seenToday: sum(({ seenToday }) => seenToday),
    seenLast7Days,
    seenLast30Days: sum(({ seenLast30Days }) => seenLast30Days),
    newest: newestOf.size === 1 ? (only ?? null) : null,
    shareOnNewest: anyNewest && seenLast7Days > 0 ? onNewest / seenLast7Days : null,
  }
}
