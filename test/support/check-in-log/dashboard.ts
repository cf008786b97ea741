import { bandsOf, platformsOf } from '../../../src/server/fleet/charts/breakdown.ts'
import { spanOf } from '../../../src/server/fleet/charts/charts-span.ts'
import { readKind } from '../../../src/server/storage/fleet/ingest/check-in-kind.ts'
import type { Connection } from '../../../src/server/storage/sqlite/database.ts'
import type { DashboardInput } from '../../../src/shared/console/fleet.ts'
import { versionSteps } from '../builders/adoption-counts.ts'
import { DAY, HOUR } from '../builders/time.ts'

interface Row {
  readonly device: number
  readonly at: number
  readonly app: string
  readonly channel: string
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly kind: number
}

const CHECK_INS = `SELECT device, at, apps.ref AS app, channels.name AS channel, version, platform,
    arch, kind
  FROM check_ins JOIN profiles ON profiles.id = profile
    JOIN channels ON channels.key = channel_key JOIN apps ON apps.key = app_key
  ORDER BY check_ins.id`
const OFFERS: readonly (string | null)[] = ['update', 'rollback']
const DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

/** The numbers of a dashboard, from nothing but the raw check-ins. */
export function recountDashboard(database: Connection, input: DashboardInput, now: number) {
  const { app, channel, range } = input
  const rows = database.prepare<[], Row>(CHECK_INS).all()
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
