import type { ReleaseHealth } from '../../../../../shared/health.ts'
import type {
  ChartQuery,
  ChartReads,
  ChartRows,
  PlatformCount,
} from '../../../../fleet/charts/charts.ts'
import type {
  AdoptionCell,
  ChannelTotals,
  ChannelTraffic,
  DeviceRecord,
  InstallProfile,
  VersionPresence,
} from '../../../../fleet/facts.ts'
import type {
  ChannelHealthQuery,
  CountedRelease,
  ReportedDetail,
} from '../../../../fleet/health/facts.ts'
import type { FleetReads } from '../../../../fleet/store.ts'
import type { PostgresDatabase, Transaction } from '../../connection/database.ts'
import { labelsFromText } from '../ingest/stored-labels.ts'
import { charts } from './chart-reads.ts'
import { counterReads } from './counter-reads.ts'
import {
  channelHealth,
  healthAt,
  type NumberedCount,
  outcomeDetails,
  releaseHealth,
} from './health-reads.ts'

const DEVICE = `SELECT channel_key AS "channelKey", version, platform, arch,
    coalesce(labels, '{}') AS labels, first_seen AS "firstSeen", last_seen AS "lastSeen"
  FROM devices JOIN profiles ON profiles.id = devices.profile
    LEFT JOIN device_labels ON device_labels.device = devices.id
  WHERE app_key = $1 AND device_id = $2`

interface DeviceRow extends InstallProfile {
  /** JSON. */
  readonly labels: string
  readonly firstSeen: number
  readonly lastSeen: number
}

/** Reads the committed fleet: the sums of what all nodes count, and devices. */
export class PostgresFleetReads implements FleetReads, ChartReads {
  readonly #database: PostgresDatabase
  readonly #counters: ReturnType<typeof counterReads>

  constructor(database: PostgresDatabase) {
    this.#database = database
    this.#counters = counterReads(database)
  }

  async device(appKey: number, deviceId: string): Promise<DeviceRecord | undefined> {
    const row = await this.#database.row<DeviceRow>(DEVICE, [appKey, deviceId])
    if (row === undefined) return undefined
    const { labels, firstSeen, lastSeen, ...profile } = row
    return { appKey, deviceId, profile, labels: labelsFromText(labels), firstSeen, lastSeen }
  }

  presence(appKey: number, today: number): Promise<VersionPresence[]> {
    return this.#counters.presence(appKey, today)
  }

  traffic(appKey: number, hour: number): Promise<ChannelTraffic[]> {
    return this.#counters.traffic(appKey, hour)
  }

  channelTotals(hour: number): Promise<ChannelTotals[]> {
    return this.#counters.channelTotals(hour)
  }

  adoption(appKey: number, from: number, to: number): Promise<AdoptionCell[]> {
    return this.#counters.adoption(appKey, from, to)
  }

  platformsOn(channelKey: number, version: string): Promise<PlatformCount[]> {
    return this.#counters.platformsOn(channelKey, version)
  }

  charts(query: ChartQuery): Promise<ChartRows> {
    return this.#inOneView((snapshot) => charts(snapshot, query))
  }

  async channelHealth(query: ChannelHealthQuery): Promise<CountedRelease[]> {
    const counted = await this.#inOneView((snapshot) => channelHealth(snapshot, query))
    return counted.map(withoutNumber)
  }

  async releaseHealth(releaseId: string, now: number): Promise<CountedRelease | null> {
    const counted = await this.#inOneView((snapshot) => releaseHealth(snapshot, releaseId, now))
    return counted === null ? null : withoutNumber(counted)
  }

  healthAt(releaseId: string, age: number): Promise<ReleaseHealth | null> {
    return healthAt(this.#database, releaseId, age)
  }

  outcomeDetails(releaseId: string, limit: number): Promise<ReportedDetail[]> {
    return outcomeDetails(this.#database, releaseId, limit)
  }

  #inOneView<T>(read: (snapshot: Transaction) => Promise<T>): Promise<T> {
    return this.#database.transaction(read, { snapshot: true })
  }
}

function withoutNumber({ number: _number, ...release }: NumberedCount): CountedRelease {
  return release
}
