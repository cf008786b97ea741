import { z } from 'zod'
import { bandsOf, platformsOf } from '../../../src/server/fleet/charts/breakdown.ts'
import { spanOf } from '../../../src/server/fleet/charts/charts.ts'
import { readKind } from '../../../src/server/storage/shared/ingest/check-in-kind.ts'
import type { DashboardInput } from '../../../src/shared/console/fleet.ts'
import { versionSteps } from '../builders/adoption-counts.ts'
import { DAY, HOUR } from '../builders/time.ts'

/** The raw check-ins for a recount, on both engines. */
export const DASHBOARD_CHECK_INS = `SELECT device, at, apps.ref, channels.name, version, platform, arch, kind
  FROM check_ins JOIN profiles ON profiles.id = profile
    JOIN channels ON channels.key = channel_key JOIN apps ON apps.key = app_key
  ORDER BY check_ins.id`
const [INTEGER, TEXT] = [z.number(), z.string()]
const Row = z
  .tuple([INTEGER, INTEGER, TEXT, TEXT, TEXT, TEXT, TEXT, INTEGER])
  .transform(([device, at, app, channel, version, platform, arch, kind]) => ({
    ...{ device, at, app, channel, version, platform, arch, kind },
  }))
type Row = z.infer<typeof Row>

const OFFERS: readonly (string | null)[] = ['update', 'rollback']
const DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

/** The numbers of a dashboard, from nothing but the rows of `DASHBOARD_CHECK_INS`. */
export function recountDashboard(
  checkIns: readonly unknown[][],
  { app, channel, range }: DashboardInput,
  now: number,
) {
  const rows = checkIns.map((columns) => Row.parse(columns))
  const span = spanOf(range, now)
  const width = span.unit === 'hour' ? HOUR : DAY
  const concerns = (row: Row) =>
    row.app === app && (channel === undefined || row.channel === channel)

  // A device counts once in a step, under the last of what it said in it; then the channel counts.
  const lastInStep = new Map<string, Row>()
  const lastOfAll = new Map<string, Row>()
  for (const row of rows.filter(({ device }) => device !== 0)) {
    lastInStep.set(`${row.device} ${Math.floor(row.at / width)}`, row)
    lastOfAll.set(String(row.device), row)
  }
  const counts = [...lastInStep.values()]
    .filter(concerns)
    .map(({ at, version }) => ({ step: Math.floor(at / width), version, devices: 1 }))
  const steps = Array.from({ length: span.to - span.from + 1 }, (_, index) => span.from + index)
  const traffic = (wanted: (row: Row) => boolean) => {
    const all = rows.filter((row) => concerns(row) && wanted(row))
    return steps.map((step) => all.filter(({ at }) => Math.floor(at / width) === step).length)
  }
  const last = [...lastOfAll.values()].filter(concerns)
  const seen = (days: number) => last.filter(({ at }) => at >= now - days * DAY)
  return {
    adoption: bandsOf(span, versionSteps(span, counts)),
    traffic: {
      checkIns: traffic(() => true),
      anonymous: traffic(({ device }) => device === 0),
      offers: traffic(({ kind }) => OFFERS.includes(readKind(kind).reason)),
    },
    platforms: {
      rows: platformsOf(
        seen(DAYS[range]).map(({ platform, arch }) => ({ platform, arch, devices: 1 })),
      ),
    },
    totals: {
      devices: last.length,
      seenLast24Hours: seen(1).length,
      seenLast7Days: seen(7).length,
      seenLast30Days: seen(30).length,
    },
  }
}
