import type { ReleaseHealth } from '../../../../../shared/health/health.ts'
import type {
  ChannelHealthQuery,
  CountedRelease,
  OfferedRow,
  ReportedDetail,
} from '../../../../fleet/health/facts.ts'
import {
  healthOf,
  healthOfSample,
  type ReleaseCells,
  SILENCE_HOURS,
  silence,
} from '../../../../fleet/health/release-counts.ts'
import { hourOf } from '../../../../fleet/time.ts'
import type { Connection } from '../../database.ts'
import { prepareAll } from '../../statements.ts'

const RELEASE = `SELECT number, release_id AS id, channel_key AS channelKey, version,
  offered_at AS offeredAt FROM offered_releases`

const SQL = {
  ofChannel: `${RELEASE} WHERE channel_key = ? ORDER BY number DESC LIMIT ?`,
  release: `${RELEASE} WHERE release_id = ?`,
  cells: 'SELECT cell, devices FROM release_counts WHERE release = ? AND devices > 0 ORDER BY cell',
  sample: `SELECT waiting, adopted, stuck, reverted, silent, reported FROM health_samples
    WHERE release = ? AND age <= ? ORDER BY age DESC LIMIT 1`,
  details: `SELECT outcome_details.device, devices.device_id AS deviceId, at, detail
    FROM outcome_details JOIN devices ON devices.id = outcome_details.device
    WHERE release = ? ORDER BY check_in DESC LIMIT ?`,
} as const

// One range of the primary key for each channel, however long the counters are kept.
const BUSY = `SELECT DISTINCT hour FROM channels
  CROSS JOIN traffic ON traffic.channel_key = channels.key AND hour >= ?`

/** Returns `silence` at a time (Unix ms), with the hours in which the fleet checked in. */
export function createSilence(database: Connection): (now: number) => (due: number) => boolean {
  const busyHours = createBusyHours(database)
  return (now) => silence(hourOf(now), busyHours(hourOf(now)))
}

function createBusyHours(database: Connection): (hour: number) => Set<number> {
  const busy = database.prepare<[number], number>(BUSY).pluck()
  return (hour) => new Set(busy.all(hour - SILENCE_HOURS))
}

/** The reads of `HealthReads` on one connection. */
export function createHealthReaders(database: Connection) {
  const sql = prepareAll(database, SQL)
  const find = (id: string) => sql.release.get(id) as OfferedRow | undefined
  const silenceAt = createSilence(database)
  const counted = (row: OfferedRow, isSilent: (hour: number) => boolean): CountedRelease => {
    const { number, ...release } = row
    const cells = sql.cells.raw().all(number) as unknown as ReleaseCells
    return { ...release, ...healthOf(cells, isSilent) }
  }
  const ofChannel = ({ channelKey, limit, now }: ChannelHealthQuery): CountedRelease[] => {
    const rows = sql.ofChannel.all(channelKey, limit) as OfferedRow[]
    const isSilent = silenceAt(now)
    return rows.map((row) => counted(row, isSilent))
  }
  return {
    channelHealth: database.transaction(ofChannel),
    releaseHealth: database.transaction((id: string, now: number): CountedRelease | null => {
      const row = find(id)
      return row === undefined ? null : counted(row, silenceAt(now))
    }),
    busyHours: createBusyHours(database),
    healthAt: (id: string, age: number): ReleaseHealth | null => {
      const sample = sql.sample.get(find(id)?.number ?? 0, age) as
        | Omit<ReleaseHealth, 'offered'>
        | undefined
      return healthOfSample(sample)
    },
    outcomeDetails: (id: string, limit: number): ReportedDetail[] => {
      const rows = sql.details.all(find(id)?.number ?? 0, limit) as (ReportedDetail & {
        readonly device: number
      })[]
      return rows.map(({ deviceId, at, detail }) => ({ deviceId, at, detail }))
    },
  }
}
