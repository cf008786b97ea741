import type { CatalogRemoval, RemovalOutcome } from '../../catalog/store.ts'
import type { ChartQuery, ChartRows } from '../../fleet/charts/charts.ts'
import type { DevicePage, DeviceQuery } from '../../fleet/device-query.ts'
import type {
  ActiveDevices,
  DeviceName,
  DeviceRecord,
  DeviceScan,
  InstallProfile,
  LoggedCheckIn,
  ProfileChange,
  ScanFilter,
} from '../../fleet/facts.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { FleetOptions } from '../../fleet/fleet-options.ts'
import type { Heartbeat } from '../../fleet/heartbeat.ts'
import type { CheckInRule, DeviceRule } from '../../fleet/store.ts'
import type { StoredFleet } from '../interface/storage.ts'
import type { NumberedProfile } from './batch.ts'
import type { SqliteScanTicket } from './database/device-scan.ts'
import type { FleetDatabase } from './database/fleet-database.ts'
import { FleetInMemory } from './fleet-in-memory.ts'
import { readKind } from './ingest/check-in.ts'
import { OldCheckIns } from './upkeep/old-check-ins.ts'
import { deleteOldDevices } from './upkeep/old-devices.ts'

/** The fleet of a running server on SQLite: all devices in memory, and a database behind them. */
export class SqliteFleet implements StoredFleet {
  readonly feed: Fleet['feed']
  readonly budgets: Fleet['budgets']
  readonly admission: Fleet['admission']
  readonly labelBytes: number
  readonly newestSeenAtStart: number
  readonly #memory: FleetInMemory
  readonly #database: FleetDatabase
  readonly #oldCheckIns: OldCheckIns

  private constructor(database: FleetDatabase, memory: FleetInMemory) {
    this.#database = database
    this.#memory = memory
    this.feed = memory.feed
    this.budgets = memory.budgets
    this.admission = memory.admission
    this.labelBytes = memory.labelBytes
    this.newestSeenAtStart = memory.newestSeenAtStart
    this.#oldCheckIns = new OldCheckIns(database)
  }

  /** Loads what the database holds. */
  static async open(database: FleetDatabase, options: FleetOptions): Promise<SqliteFleet> {
    return new SqliteFleet(database, await FleetInMemory.open(database, options))
  }

  get health() {
    return this.#memory.health
  }

  record(heartbeat: Heartbeat): void {
    this.#memory.record(heartbeat)
  }

  recordAll<Item>(
    items: readonly Item[],
    heartbeatOf: (item: Item, index: number) => Heartbeat,
  ): void {
    this.#memory.recordAll(items, heartbeatOf)
  }

  settled(): Promise<void> {
    return this.#memory.settled()
  }

  profileOf(appKey: number, deviceId: string): InstallProfile | undefined {
    return this.#memory.profileOf(appKey, deviceId)
  }

  labelsInMemory(appKey: number, deviceId: string) {
    return this.#memory.labelsInMemory(appKey, deviceId)
  }

  labelsOf(appKey: number, deviceIds: readonly string[]) {
    return this.#memory.labelsOf(appKey, deviceIds)
  }

  async device(appKey: number, deviceId: string): Promise<DeviceRecord | undefined> {
    const known = await this.#stored({ appKey, deviceId })
    if (known === undefined) return undefined
    const [stored, [labels = {}]] = await Promise.all([
      this.#database.read('storedDevice', known.device),
      this.#memory.labelsOf(appKey, [deviceId]),
    ])
    const { profile, lastSeen } = known
    // A device that came this moment may wait to be written.
    const firstSeen = stored?.firstSeen ?? lastSeen
    return { appKey, deviceId, profile: factsOf(profile), labels, firstSeen, lastSeen }
  }

  async history(name: DeviceName, limit: number): Promise<ProfileChange[]> {
    const known = await this.#stored(name)
    if (known === undefined) return []
    const { device, lastChange } = known
    const changes = await this.#database.read('deviceChanges', device, lastChange, limit)
    return changes.map(({ at, profile }) => ({ at, profile: this.#profile(profile) }))
  }

  async checkIns(
    name: DeviceName,
    from: number | undefined,
    limit: number,
  ): Promise<LoggedCheckIn[]> {
    const known = await this.#stored(name)
    if (known === undefined) return []
    const start = from ?? known.lastCheckIn
    const read = await this.#database.read('deviceCheckIns', known.device, start, limit)
    return read.map(({ id, at, kind, profile }) => {
      return { id, at, ...readKind(kind), profile: this.#profile(profile) }
    })
  }

  async devices({ search, ...query }: DeviceQuery): Promise<DevicePage> {
    const { prefix, label } = search ?? { prefix: '', label: undefined }
    const { rows, ...page } = await this.#database.read('deviceList', {
      ...query,
      chunks: this.#memory.shareDevices(),
      search: search && {
        prefix,
        label: label && { ...label, sets: this.#memory.labelSetsWith(label.key, label.value) },
      },
    })
    return { ...page, rows: rows.map(({ device: _device, ...row }) => row) }
  }

  async activeDevices(now: number): Promise<readonly ActiveDevices[]> {
    const memory = this.#memory
    const chunks = memory.shareDevices()
    const seen = await this.#database.read('activeDevices', chunks, now, memory.highestProfile)
    return [...seen.profiles].flatMap((id, index) => {
      // That of a channel that was removed meanwhile is gone.
      const profile = memory.profile(id)
      if (profile === undefined) return []
      const last24Hours = seen.last24Hours[index] ?? 0
      return { profile, last24Hours, last7Days: seen.last7Days[index] ?? 0 }
    })
  }

  scan({ channelKey }: ScanFilter): DeviceScan {
    const { profiles, byDevice } = this.#memory.profilesOn(channelKey)
    const ids = new Set(profiles.map(({ id }) => id))
    const devices = byDevice.reduce((sum, profile) => sum + (ids.has(profile) ? 1 : 0), 0)
    const ticket: SqliteScanTicket = {
      store: 'sqlite',
      file: this.#database.file,
      profiles,
      byDevice,
    }
    return { devices, ticket }
  }

  presence(appKey: number, today: number) {
    return this.#database.presence(appKey, today)
  }

  traffic(appKey: number, hour: number) {
    return this.#database.traffic(appKey, hour)
  }

  adoption(appKey: number, from: number, to: number) {
    return this.#database.adoption(appKey, from, to)
  }

  charts(query: ChartQuery): Promise<ChartRows> {
    return this.#database.read('charts', query)
  }

  retainCheckIns(rule: CheckInRule): AsyncIterable<void> {
    return this.#oldCheckIns.delete(rule)
  }

  retainDevices(rule: DeviceRule): AsyncIterable<number> {
    return deleteOldDevices(this.#memory, this.#database, rule)
  }

  retireProfiles(before: number, after: number): number {
    return this.#memory.retireProfiles(before, after)
  }

  pendingErasures(): Promise<readonly DeviceName[]> {
    return this.#database.read('pendingErasures')
  }

  async forget(names: readonly DeviceName[]): Promise<void> {
    for (const name of names) {
      if (!this.#memory.erase(name)) throw new Error('a channel is being removed')
    }
    await this.#memory.settled()
  }

  async remove(removal: CatalogRemoval): Promise<RemovalOutcome> {
    let outcome: RemovalOutcome = 'unknown'
    await this.#memory.forget(removal.channelKeys, {
      deleteDevices: (devices) => this.#database.removeDevices(devices),
      commit: async (devices) => {
        outcome = await this.#database.remove(removal, devices)
        return outcome === 'removed'
      },
    })
    return outcome
  }

  stop(): Promise<void> {
    return this.#memory.stop()
  }

  /** A known device as it is now, once that is committed, or cannot be. */
  async #stored({ appKey, deviceId }: DeviceName) {
    const known = this.#memory.known(appKey, deviceId)
    if (known !== undefined) await this.#memory.settled().catch(() => {})
    return known
  }

  #profile(id: number): InstallProfile | null {
    const profile = this.#memory.profile(id)
    return profile === undefined ? null : factsOf(profile)
  }
}

function factsOf({ channelKey, version, platform, arch }: NumberedProfile): InstallProfile {
  return { channelKey, version, platform, arch }
}
