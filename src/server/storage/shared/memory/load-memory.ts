import {
  intervalOf,
  phaseOf,
  progressOf,
  readStage,
  releaseOf,
} from '../../../fleet/health/packed-episode.ts'
import { nextInterval } from '../../../fleet/health/usual-interval.ts'
import { withoutEpisode } from '../../../fleet/health/weight.ts'
import type { TelemetryDatabase, TelemetryState } from '../batch.ts'
import { HealthCheck } from '../ingest/health-check.ts'
import { PresenceCheck } from '../ingest/presence-check.ts'
import type { DeviceTable } from './device-table.ts'
import type { FleetMemory } from './fleet-memory.ts'

/** Fills an empty memory with the stored data. Returns comparisons of the stored counters with the devices. */
export async function loadMemory(
  memory: FleetMemory,
  store: TelemetryDatabase,
  { lastDevice, lastProfile, lastRelease, lastCheckIn: newest }: TelemetryState,
): Promise<{ readonly presence: PresenceCheck; readonly health: HealthCheck }> {
  const { table, labelSets, profiles, releases } = memory
  const presence = new PresenceCheck()
  const health = new HealthCheck()
  table.reserve(lastDevice)
  profiles.reserve(lastProfile)
  releases.reserve(lastRelease)
  await store.load({
    profile: (profile) => {
      // Device rows that are behind the log may still refer to it.
      profiles.load(profile).leftAt = newest
    },
    release: (release) => releases.load(release),
    device: (
      id,
      appKey,
      deviceId,
      profile,
      lastSeen,
      labels,
      lastCheckIn,
      lastChange,
      firstSeen,
      episode,
      offeredAt,
      evidence,
    ) => {
      table.setEvidence(id, evidence)
      table.setEpisode(id, releaseOf(episode), progressOf(episode))
      table.setOfferedAt(id, offeredAt)
      table.setFirstSeen(id, firstSeen)
      memory.index(appKey, deviceId, id)
      table.load(id, profile, lastSeen)
      table.setLastCheckIn(id, lastCheckIn)
      table.setLastChange(id, lastChange)
      if (labels !== '{}') table.setLabelSet(id, labelSets.numberOfText(labels))
    },
    freed: (device, lastCheckIn) => table.forget(device, lastCheckIn),
    replay: (device, profile, at, checkIn, stage) => {
      // The log still contains the check-ins of removed devices, and rows that were written since the previous
      // round contain some of them.
      if (table.profile(device) === 0 || checkIn <= table.lastCheckIn(device)) return
      const gap = Math.floor((at - table.lastSeen(device)) / 1_000)
      const before = intervalOf(table.progress(device))
      const { release, progress } = readStage(stage, nextInterval(before, gap))
      table.set(device, profile, at)
      table.setLastCheckIn(device, checkIn)
      if (release !== table.release(device)) {
        table.setOfferedAt(device, release === 0 ? 0 : Math.floor(at / 1_000))
      }
      // Who sent it is not in the log: until its next state, the device counts as new.
      if (!isSameState(table, device, release, progress)) {
        table.setEvidence(device, withoutEpisode(table.evidence(device)))
      }
      table.setEpisode(device, release, progress)
    },
    change: (device, change) => {
      if (table.profile(device) !== 0) table.setLastChange(device, change)
    },
    presence: (profile, day, devices) => presence.stored(profile, day, devices),
    health: (release, cell, devices) => health.stored(release, cell, devices),
  })
  for (let device = 1; device <= table.highest; device++) {
    const profile = table.profile(device)
    if (profile === 0) continue
    const lastSeen = table.lastSeen(device)
    presence.device(profile, lastSeen)
    const release = table.release(device)
    if (releases.get(release) === undefined) table.setEpisode(device, 0, table.progress(device))
    else health.device(release, table.progress(device), lastSeen, table.evidence(device))
    if (lastSeen > memory.newestSeenAtStart) memory.newestSeenAtStart = lastSeen
    const running = profiles.known(profile)
    if (running !== undefined) running.devices++
  }
  return { presence, health }
}

function isSameState(
  table: DeviceTable,
  device: number,
  release: number,
  progress: number,
): boolean {
  return release === table.release(device) && phaseOf(progress) === phaseOf(table.progress(device))
}
