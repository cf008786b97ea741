import type { LabelMap } from '../../../../shared/names.ts'
import type {
  ChartQuery,
  ChartReads,
  ChartRows,
  PlatformCount,
} from '../../../fleet/charts/charts.ts'
import type { DevicePage, DeviceQuery } from '../../../fleet/device-query.ts'
import type {
  ActiveDevices,
  DeviceName,
  DeviceRecord,
  DeviceScan,
  InstallProfile,
  LoggedCheckIn,
  ProfileChange,
  ScanFilter,
} from '../../../fleet/facts.ts'
import type { ChannelHealthQuery } from '../../../fleet/health/facts.ts'
import type { DeviceReads, DeviceViews, FleetReads } from '../../../fleet/store.ts'
import type { SeenPeriod } from '../../../fleet/time.ts'
import type { NumberedProfile } from '../../shared/batch.ts'
import { readKind, stageOf } from '../../shared/ingest/check-in-kind.ts'
import { loggedEpisode } from '../../shared/logged-episode.ts'
import type { FleetDatabase } from './database/fleet-database.ts'
import type { FleetInMemory } from './fleet-in-memory.ts'
import type { SqliteScanTicket } from './reads/device-scan.ts'

/** Reads the fleet of a running server from memory and from the database. */
export class FleetViews implements DeviceReads, DeviceViews, FleetReads, ChartReads {
  protected readonly inMemory: FleetInMemory
  protected readonly database: FleetDatabase

  constructor(inMemory: FleetInMemory, database: FleetDatabase) {
    this.inMemory = inMemory
    this.database = database
  }

  async profilesOf(
    appKey: number,
    deviceIds: readonly string[],
  ): Promise<(InstallProfile | undefined)[]> {
    const { memory } = this.inMemory
    return deviceIds.map((deviceId) => memory.profileOf(appKey, deviceId))
  }

  labelsInMemory(appKey: number, deviceId: string): LabelMap | undefined {
    const { memory, labels } = this.inMemory
    return labels.inMemory(memory.find(appKey, deviceId))
  }

  labelsOf(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]> {
    return this.inMemory.labels.of(appKey, deviceIds)
  }

  async device(appKey: number, deviceId: string): Promise<DeviceRecord | undefined> {
    const known = await this.#stored({ appKey, deviceId })
    if (known === undefined) return undefined
    const [stored, [labels = {}]] = await Promise.all([
      this.database.read('storedDevice', known.device),
      this.labelsOf(appKey, [deviceId]),
    ])
    const { profile, lastSeen } = known
    // A new device may not be written yet.
    const firstSeen = stored?.firstSeen ?? lastSeen
    return { appKey, deviceId, profile: factsOf(profile), labels, firstSeen, lastSeen }
  }

  async history(name: DeviceName, limit: number): Promise<ProfileChange[]> {
    const known = await this.#stored(name)
    if (known === undefined) return []
    const { device, lastChange } = known
    const changes = await this.database.read('deviceChanges', device, lastChange, limit)
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
    const read = await this.database.read('deviceCheckIns', known.device, start, limit)
    return read.map(({ id, at, kind, profile, detail }) => {
      const stood = loggedEpisode(stageOf(kind), this.inMemory.memory.releases)
      const shown = { profile: this.#profile(profile), episode: stood, detail: detail ?? '' }
      return { id, at, ...readKind(kind), ...shown }
    })
  }

  async devices({ search, health, ...query }: DeviceQuery): Promise<DevicePage> {
    const { prefix, label } = search ?? { prefix: '', label: undefined }
    const { table, labelSets, releases } = this.inMemory.memory
    const { rows, ...page } = await this.database.read('deviceList', {
      ...query,
      chunks: table.share(),
      health: health && {
        ...{ states: health.states, now: health.now },
        release: releases.find(health.releaseId),
      },
      search: search && {
        prefix,
        label: label && { ...label, sets: labelSets.having(label.key, label.value) },
      },
    })
    return { ...page, rows: rows.map(({ device: _device, ...row }) => row) }
  }

  devicesBeginning(
    appKeys: readonly number[],
    prefix: string,
    limit: number,
  ): Promise<DeviceName[]> {
    return this.database.read('devicesBeginning', appKeys, prefix, limit)
  }

  async activeDevices(now: number): Promise<readonly ActiveDevices[]> {
    const { table, profiles } = this.inMemory.memory
    const seen = await this.database.read('activeDevices', table.share(), now, profiles.highest)
    return [...seen.profiles].flatMap((id, index) => {
      // The profile of a channel that was removed meanwhile no longer exists.
      const profile = profiles.get(id)
      if (profile === undefined) return []
      const of = (period: SeenPeriod) => seen.devices[period][index] ?? 0
      return {
        profile,
        seen: { '24h': of('24h'), '7d': of('7d'), '30d': of('30d'), '90d': of('90d') },
      }
    })
  }

  async scan({ channelKey, releaseId }: ScanFilter): Promise<DeviceScan> {
    const { memory } = this.inMemory
    const { table, releases } = memory
    const { profiles, byDevice } = memory.profilesOn(channelKey)
    const ids = new Set(profiles.map(({ id }) => id))
    const devices = byDevice.reduce((sum, profile) => sum + (ids.has(profile) ? 1 : 0), 0)
    const ticket: SqliteScanTicket = {
      store: 'sqlite',
      file: this.database.file,
      ...{ profiles, byDevice, chunks: table.share() },
      release: releaseId === undefined ? 0 : releases.find(releaseId),
    }
    return { devices, ticket }
  }

  presence(appKey: number, today: number) {
    return this.database.read('presence', appKey, today)
  }

  traffic(appKey: number, hour: number) {
    return this.database.read('traffic', appKey, hour)
  }

  channelTotals(hour: number) {
    return this.database.read('channelTotals', hour)
  }

  channelHealth(query: ChannelHealthQuery) {
    return this.database.read('channelHealth', query)
  }

  releaseHealth(releaseId: string, now: number) {
    return this.database.read('releaseHealth', releaseId, now)
  }

  busyHours(hour: number) {
    return this.database.read('busyHours', hour)
  }

  healthAt(releaseId: string, age: number) {
    return this.database.healthAt(releaseId, age)
  }

  outcomeDetails(releaseId: string, limit: number) {
    return this.database.read('outcomeDetails', releaseId, limit)
  }

  adoption(appKey: number, from: number, to: number) {
    return this.database.adoption(appKey, from, to)
  }

  charts(query: ChartQuery): Promise<ChartRows> {
    return this.database.read('charts', query)
  }

  platformsOn(channelKey: number, version: string): Promise<PlatformCount[]> {
    return this.database.read('platformsOn', channelKey, version)
  }

  /** Returns a known device as it is now, once that is committed or has failed. */
  async #stored({ appKey, deviceId }: DeviceName) {
    const { memory, writer } = this.inMemory
    const known = memory.known(appKey, deviceId)
    if (known !== undefined) await writer.settled().catch(() => {})
    return known
  }

  #profile(id: number): InstallProfile | null {
    const profile = this.inMemory.memory.profiles.get(id)
    return profile === undefined ? null : factsOf(profile)
  }
}

function factsOf({ channelKey, version, platform, arch }: NumberedProfile): InstallProfile {
  return { channelKey, version, platform, arch }
}
