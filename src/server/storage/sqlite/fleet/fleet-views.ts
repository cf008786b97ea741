import type { ChartReads } from '../../../fleet/charts/charts.ts'
import type { DeviceName, InstallProfile } from '../../../fleet/facts.ts'
import type { DeviceReads, DeviceViews, FleetReads } from '../../../fleet/store.ts'
import type { SeenPeriod } from '../../../fleet/time.ts'
import type { NumberedProfile } from '../../shared/batch.ts'
import { loggedEpisode, readKind, stageOf } from '../../shared/ingest/check-in-kind.ts'
import type { ArgsOf } from '../threads/worker-client.ts'
import type { FleetDatabase } from './database/fleet-database.ts'
import type { FleetInMemory } from './fleet-in-memory.ts'
import type { SqliteScanTicket } from './reads/device-scan.ts'
import type { Readers } from './reads/readers.ts'

/** Reads the fleet of a running server from memory and from the database. */
export function fleetViews(inMemory: FleetInMemory, database: FleetDatabase) {
  const { memory, writer } = inMemory
  /** Returns a known device as it is now, once that is committed or has failed. */
  const committed = async ({ appKey, deviceId }: DeviceName) => {
    const known = memory.known(appKey, deviceId)
    if (known !== undefined) await writer.settled().catch(() => {})
    return known
  }
  const profileOf = (id: number): InstallProfile | null => {
    const profile = memory.profiles.get(id)
    return profile === undefined ? null : factsOf(profile)
  }
  const labelsOf = (appKey: number, deviceIds: readonly string[]) =>
    inMemory.labels.of(appKey, deviceIds)
  const onThread =
    <Name extends keyof Readers>(name: Name) =>
    (...args: ArgsOf<Readers[Name]>) =>
      database.read(name, ...args)
  return {
    profilesOf: async (appKey, deviceIds) =>
      deviceIds.map((deviceId) => memory.profileOf(appKey, deviceId)),
    labelsInMemory: (appKey, deviceId) => inMemory.labels.inMemory(memory.find(appKey, deviceId)),
    labelsOf,
    async device(appKey, deviceId) {
      const known = await committed({ appKey, deviceId })
      if (known === undefined) return undefined
      const [stored, [labels = {}]] = await Promise.all([
        database.read('storedDevice', known.device),
        labelsOf(appKey, [deviceId]),
      ])
      const { profile, lastSeen } = known
      // A new device may not be written yet.
      const firstSeen = stored?.firstSeen ?? lastSeen
      return { appKey, deviceId, profile: factsOf(profile), labels, firstSeen, lastSeen }
    },
    async history(name, limit) {
      const known = await committed(name)
      if (known === undefined) return []
      const { device, lastChange } = known
      const changes = await database.read('deviceChanges', device, lastChange, limit)
      return changes.map(({ at, profile }) => ({ at, profile: profileOf(profile) }))
    },
    async checkIns(name, from, limit) {
      const known = await committed(name)
      if (known === undefined) return []
      const start = from ?? known.lastCheckIn
      const read = await database.read('deviceCheckIns', known.device, start, limit)
      return read.map(({ id, at, kind, profile, detail }) => {
        const episode = loggedEpisode(stageOf(kind), memory.releases)
        const shown = { profile: profileOf(profile), episode, detail: detail ?? '' }
        return { id, at, ...readKind(kind), ...shown }
      })
    },
    async devices({ search, health, ...query }) {
      const { prefix, label } = search ?? { prefix: '', label: undefined }
      const { table, labelSets, releases } = memory
      const { rows, ...page } = await database.read('deviceList', {
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
    },
    async activeDevices(now) {
      const { table, profiles } = memory
      const seen = await database.read('activeDevices', table.share(), now, profiles.highest)
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
    },
    async scan({ channelKey, releaseId }) {
      const { table, releases } = memory
      const { profiles, byDevice } = memory.profilesOn(channelKey)
      const ids = new Set(profiles.map(({ id }) => id))
      const devices = byDevice.reduce((sum, profile) => sum + (ids.has(profile) ? 1 : 0), 0)
      const ticket: SqliteScanTicket = {
        store: 'sqlite',
        file: database.file,
        ...{ profiles, byDevice, chunks: table.share() },
        release: releaseId === undefined ? 0 : releases.find(releaseId),
      }
      return { devices, ticket }
    },
    healthAt: database.healthAt,
    adoption: database.adoption,
    devicesBeginning: onThread('devicesBeginning'),
    presence: onThread('presence'),
    traffic: onThread('traffic'),
    channelTotals: onThread('channelTotals'),
    channelHealth: onThread('channelHealth'),
    releaseHealth: onThread('releaseHealth'),
    busyHours: onThread('busyHours'),
    outcomeDetails: onThread('outcomeDetails'),
    charts: onThread('charts'),
    platformsOn: onThread('platformsOn'),
  } satisfies DeviceReads & DeviceViews & FleetReads & ChartReads
}

function factsOf({ channelKey, version, platform, arch }: NumberedProfile): InstallProfile {
  return { channelKey, version, platform, arch }
}
