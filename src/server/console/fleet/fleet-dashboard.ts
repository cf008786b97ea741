import { z } from 'zod'
import type { Dashboard, DashboardInput, RolloutMark } from '../../../shared/console/fleet.ts'
import { ReleaseStatus } from '../../../shared/releases/release.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { platformsOf } from '../../fleet/charts/breakdown.ts'
import {
  type ChartQuery,
  type ChartRows,
  fillSteps,
  type PlatformCount,
  type ServingChangeRow,
  spanOf,
  stepStart,
  stepStarts,
} from '../../fleet/charts/charts.ts'
import { sum } from '../../fleet/charts/summary.ts'
import { dayOf, type SeenPeriod, seenSince } from '../../fleet/time.ts'
import { findApp, visibleApps } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'
import { NO_RECENT_DEVICES, type RecentDevices } from './recent-devices.ts'
import { shareUpToDate } from './up-to-date.ts'

/** Returns what the fleet's screen shows as of `now` (Unix milliseconds), from counters. Throws `unknown` (app, channel). */
export async function dashboardOf(
  ctx: Pick<ConsoleContext, 'catalog' | 'fleet' | 'principal' | 'recentDevices'>,
  input: DashboardInput,
  now: number,
): Promise<Dashboard> {
  const { snapshot } = ctx.catalog
  const ref = input.app ?? firstApp(visibleApps(snapshot, ctx.principal))?.record.ref ?? ''
  const app = findApp(snapshot, ctx.principal, ref, 'viewer')
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
    today: dayOf(now),
    // An app that was removed may have had the same ref.
    marksFrom: createdAt > begin ? createdAt : begin,
  }
  const [rows, counts] = await Promise.all([ctx.fleet.charts(query), ctx.recentDevices.get()])
  const recents = channels.map((channel) => ({
    channel,
    recent: counts.get(channel.record.key) ?? NO_RECENT_DEVICES,
  }))
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
      since: new Date(seenSince(input.range, now)).toISOString(),
      rows: platformsOf(recents.flatMap(({ recent }) => platformCounts(recent, input.range))),
    },
    totals: totalsOf(rows.versions, recents),
    marks: rows.changes.toReversed().flatMap(marksOf),
  }
}

function firstApp(apps: readonly CatalogApp[]): CatalogApp | undefined {
  return apps.find(({ record }) => record.archivedAt === null) ?? apps[0]
}

function totalsOf(
  versions: ChartRows['versions'],
  channels: Parameters<typeof shareUpToDate>[0],
): Dashboard['totals'] {
  const seen = (period: SeenPeriod) => sum(channels, ({ recent }) => recent.seen[period])
  return {
    devices: sum(versions, ({ devices }) => devices),
    seenLast24Hours: seen('24h'),
    seenLast7Days: seen('7d'),
    seenLast30Days: seen('30d'),
    shareUpToDate: shareUpToDate(channels),
  }
}

function platformCounts({ profiles }: RecentDevices, period: SeenPeriod): PlatformCount[] {
  return profiles.map(({ profile: { platform, arch }, seen }) => ({
    platform,
    arch,
    devices: seen[period],
  }))
}

/** The parts of a release in the audit log that a chart can show. */
const Part = z.object({ rolloutPct: z.int().optional(), status: ReleaseStatus.optional() })
type Part = z.infer<typeof Part>

/** Returns what a change did to a rollout: nothing (only targets), one thing, or two (resumed and raised in one call). */
function marksOf(row: ServingChangeRow): RolloutMark[] {
  const { at, channel, version } = row
  const mark = (change: RolloutMark['change'], rolloutPct: number | null): RolloutMark => {
    return { at, channel, version, change, rolloutPct }
  }
  const after = partOf(row.after)
  if (row.action === 'release.published') return [mark('published', after.rolloutPct ?? null)]
  const marks: RolloutMark[] = []
  if (after.rolloutPct !== undefined) {
    const from = partOf(row.before).rolloutPct ?? 0
    marks.push(mark(after.rolloutPct < from ? 'lowered' : 'raised', after.rolloutPct))
  }
  if (after.status !== undefined) {
    marks.push(mark(after.status === 'published' ? 'resumed' : after.status, null))
  }
  return marks
}

function partOf(json: string): Part {
  const read = Part.safeParse(JSON.parse(json))
  return read.success ? read.data : {}
}
