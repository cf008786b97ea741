import type { ReleaseHealth } from '../../../../../shared/health/health.ts'
import type {
  ChannelHealthQuery,
  OfferedRow,
  ReportedDetail,
} from '../../../../fleet/health/facts.ts'
import {
  type CountedHealth,
  healthOf,
  healthOfSample,
  SILENCE_HOURS,
  silence,
} from '../../../../fleet/health/release-counts.ts'
import { hourOf } from '../../../../fleet/time.ts'
import type { Queries } from '../../connection/queries.ts'

const RELEASE = `SELECT number, release_id AS id, channel_key AS "channelKey", version,
  offered_at AS "offeredAt" FROM offered_releases`

const SQL = {
  ofChannel: `${RELEASE} WHERE channel_key = $1 ORDER BY number DESC LIMIT $2`,
  release: `${RELEASE} WHERE release_id = $1`,
  cells: `SELECT release, cell, sum(devices) AS devices FROM release_counts
    WHERE release = ANY($1) GROUP BY release, cell HAVING sum(devices) > 0 ORDER BY release, cell`,
  // One range of the primary key for each channel, however long the counters are kept.
  busy: `SELECT DISTINCT hour FROM channels
    JOIN traffic ON traffic.channel_key = channels.key AND hour >= $1`,
  sample: `SELECT waiting, adopted, stuck, reverted, silent, reported FROM health_samples
    WHERE release = (SELECT number FROM offered_releases WHERE release_id = $1) AND age <= $2
    ORDER BY age DESC LIMIT 1`,
  details: `SELECT devices.device_id AS "deviceId", at, detail
    FROM outcome_details JOIN devices ON devices.id = outcome_details.device
    WHERE release = (SELECT number FROM offered_releases WHERE release_id = $1)
    ORDER BY at DESC, check_in DESC LIMIT $2`,
} as const

type Cell = readonly [cell: number, devices: number]

/** A release with the number that counters and samples have. */
export type NumberedCount = OfferedRow & CountedHealth

/** As `HealthReads.channelHealth`, with numbers. `snapshot`: of one transaction that sees one snapshot. */
export async function channelHealth(
  snapshot: Queries,
  { channelKey, limit, now }: ChannelHealthQuery,
): Promise<NumberedCount[]> {
  return await counted(snapshot, await snapshot.rows(SQL.ofChannel, [channelKey, limit]), now)
}

/** As `HealthReads.releaseHealth`. `snapshot`: as above. */
export async function releaseHealth(
  snapshot: Queries,
  releaseId: string,
  now: number,
): Promise<NumberedCount | null> {
  return (await counted(snapshot, await snapshot.rows(SQL.release, [releaseId]), now))[0] ?? null
}

/** As `HealthReads.healthAt`. */
export async function healthAt(
  queries: Queries,
  releaseId: string,
  age: number,
): Promise<ReleaseHealth | null> {
  const sample = await queries.row<Omit<ReleaseHealth, 'offered'>>(SQL.sample, [releaseId, age])
  return healthOfSample(sample)
}

/** As `HealthReads.outcomeDetails`. Ids of check-ins rise within a node only, so details are in the order of time. */
export function outcomeDetails(
  queries: Queries,
  releaseId: string,
  limit: number,
): Promise<ReportedDetail[]> {
  return queries.rows(SQL.details, [releaseId, limit])
}

/** Reads the hours with check-ins that `silence` needs at `hour`. */
export async function busyHours(snapshot: Queries, hour: number): Promise<ReadonlySet<number>> {
  const busy = await snapshot.rows<{ hour: number }>(SQL.busy, [hour - SILENCE_HOURS])
  return new Set(busy.map((row) => row.hour))
}

async function counted(
  snapshot: Queries,
  releases: readonly OfferedRow[],
  now: number,
): Promise<NumberedCount[]> {
  if (releases.length === 0) return []
  type Row = { readonly release: number; readonly cell: number; readonly devices: number }
  const numbers = releases.map(({ number }) => number)
  const cells = new Map<number, Cell[]>(numbers.map((number) => [number, []]))
  for (const { release, cell, devices } of await snapshot.rows<Row>(SQL.cells, [numbers])) {
    cells.get(release)?.push([cell, devices])
  }
  const hour = hourOf(now)
  const isSilent = silence(hour, await busyHours(snapshot, hour))
  return releases.map((release) => {
    return { ...release, ...healthOf(cells.get(release.number) ?? [], isSilent) }
  })
}
