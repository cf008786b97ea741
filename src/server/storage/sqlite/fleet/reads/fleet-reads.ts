import type Database from 'better-sqlite3'
import type { ReleaseHealth } from '../../../../../shared/health/health.ts'
import type { LabelMap } from '../../../../../shared/names.ts'
import type {
  AdoptionCell,
  ChannelTotals,
  ChannelTraffic,
  DeviceRecord,
  DeviceScan,
  ScanFilter,
  VersionPresence,
} from '../../../../fleet/facts.ts'
import type {
  ChannelHealthQuery,
  CountedRelease,
  ReportedDetail,
} from '../../../../fleet/health/facts.ts'
import type { FleetReads } from '../../../../fleet/store.ts'
import { dayName } from '../../../../fleet/time.ts'
import { prepareAll, type Statement } from '../../statements.ts'
import { createCounterReaders } from './counter-reads.ts'
import { createHealthReaders } from './health-reads.ts'
import { scanOf } from './stored-scan.ts'

const SQL = {
  device: `SELECT id, profile, labels, first_seen, last_seen
    FROM devices JOIN device_states ON device = id WHERE app_key = ? AND device_id = ?`,
  newerCheckIn: `SELECT at, profile FROM check_ins
    WHERE id > (SELECT rows_through FROM telemetry_state) AND device = ?
    ORDER BY id DESC LIMIT 1`,
  profile: 'SELECT channel_key, version, platform, arch FROM profiles WHERE id = ?',
  labels: 'SELECT labels FROM devices WHERE id = ?',
  adoption: `SELECT day, channels.name AS channel, profiles.version AS version,
      sum(devices) AS devices
    FROM channels
      JOIN profiles ON profiles.channel_key = channels.key
      JOIN adoption ON adoption.profile = profiles.id AND day BETWEEN ? AND ?
    WHERE channels.app_key = ? AND devices > 0
    GROUP BY day, channels.key, profiles.version ORDER BY day`,
} as const

interface DeviceRow {
  id: number
  profile: number
  labels: string
  first_seen: number
  last_seen: number
}

/** Reads the fleet from one connection. */
export class SqliteFleetReads implements FleetReads {
  readonly #database: Database.Database
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>
  readonly #counters: ReturnType<typeof createCounterReaders>
  readonly #health: ReturnType<typeof createHealthReaders>
  readonly #inOneView: <T>(read: () => T) => T

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareAll(database, SQL)
    this.#counters = createCounterReaders(database)
    this.#health = createHealthReaders(database)
    this.#inOneView = (read) => database.transaction(read)()
  }

  async device(appKey: number, deviceId: string): Promise<DeviceRecord | undefined> {
    // A commit between reading a row and the end of the log could move check-ins from the log to the row.
    return this.#inOneView(() => this.#readDevice(appKey, deviceId))
  }

  async labels(ids: readonly number[]): Promise<LabelMap[]> {
    const statement = this.#sql.labels.pluck()
    return ids.map((id) => {
      const text = statement.get(id)
      return typeof text === 'string' && text !== '{}' ? JSON.parse(text) : {}
    })
  }

  async presence(appKey: number, today: number): Promise<VersionPresence[]> {
    return this.#counters.presence(appKey, today)
  }

  async traffic(appKey: number, hour: number): Promise<ChannelTraffic[]> {
    return this.#counters.traffic(appKey, hour)
  }

  async channelTotals(hour: number): Promise<ChannelTotals[]> {
    return this.#counters.channelTotals(hour)
  }

  async adoption(appKey: number, from: number, to: number): Promise<AdoptionCell[]> {
    const rows = this.#sql.adoption.all(from, to, appKey) as (Omit<AdoptionCell, 'day'> & {
      day: number
    })[]
    return rows.map((row) => ({ ...row, day: dayName(row.day) }))
  }

  async scan(filter: ScanFilter): Promise<DeviceScan> {
    return scanOf(this.#database, filter)
  }

  async channelHealth(query: ChannelHealthQuery): Promise<CountedRelease[]> {
    return this.#health.channelHealth(query)
  }

  async releaseHealth(releaseId: string, now: number): Promise<CountedRelease | null> {
    return this.#health.releaseHealth(releaseId, now)
  }

  async busyHours(hour: number): Promise<ReadonlySet<number>> {
    return this.#health.busyHours(hour)
  }

  async healthAt(releaseId: string, age: number): Promise<ReleaseHealth | null> {
    return this.#health.healthAt(releaseId, age)
  }

  async outcomeDetails(releaseId: string, limit: number): Promise<ReportedDetail[]> {
    return this.#health.outcomeDetails(releaseId, limit)
  }

  #readDevice(appKey: number, deviceId: string): DeviceRecord | undefined {
    const row = this.#sql.device.get(appKey, deviceId) as DeviceRow | undefined
    if (row === undefined) return undefined
    // The row may not contain the latest check-ins of the log yet.
    const newer = this.#sql.newerCheckIn.get(row.id) as { at: number; profile: number } | undefined
    const profile = newer?.profile ?? row.profile
    const { channel_key, ...installed } = this.#sql.profile.get(profile) as {
      channel_key: number
      version: string
      platform: string
      arch: string
    }
    return {
      appKey,
      deviceId,
      profile: { channelKey: channel_key, ...installed },
      labels: JSON.parse(row.labels),
      firstSeen: row.first_seen,
      lastSeen: newer?.at ?? row.last_seen,
    }
  }
}
