import type { TelemetryDatabase, TelemetryState } from '../batch.ts'
import { PresenceCheck } from '../ingest/presence-check.ts'
import type { FleetMemory } from './fleet-memory.ts'

/**
 * Fills an empty memory with the stored data. Returns a comparison of the stored presence counter with
 * the devices.
 */
export async function loadMemory(
  memory: FleetMemory,
  store: TelemetryDatabase,
  { lastDevice, lastProfile, lastCheckIn: newest }: TelemetryState,
): Promise<PresenceCheck> {
  const { table, labelSets, profiles } = memory
  const presence = new PresenceCheck()
  table.reserve(lastDevice)
  profiles.reserve(lastProfile)
  await store.load({
    profile: (profile) => {
      // Device rows that are behind the log may still refer to it.
      profiles.load(profile).leftAt = newest
    },
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
    ) => {
      table.setFirstSeen(id, firstSeen)
      memory.index(appKey, deviceId, id)
      table.load(id, profile, lastSeen)
      table.setLastCheckIn(id, lastCheckIn)
      table.setLastChange(id, lastChange)
      if (labels !== '{}') table.setLabelSet(id, labelSets.numberOfText(labels))
    },
    freed: (device, lastCheckIn) => table.forget(device, lastCheckIn),
    replay: (device, profile, at, checkIn) => {
      // The log still contains the check-ins of removed devices, and rows that were written since the previous
      // round contain some of them.
      if (table.profile(device) === 0 || checkIn <= table.lastCheckIn(device)) return
      table.set(device, profile, at)
      table.setLastCheckIn(device, checkIn)
    },
    change: (device, change) => {
      if (table.profile(device) !== 0) table.setLastChange(device, change)
    },
    presence: (profile, day, devices) => presence.stored(profile, day, devices),
  })
  for (let device = 1; device <= table.highest; device++) {
    const profile = table.profile(device)
    if (profile === 0) continue
    const lastSeen = table.lastSeen(device)
    presence.device(profile, lastSeen)
    if (lastSeen > memory.newestSeenAtStart) memory.newestSeenAtStart = lastSeen
    const running = profiles.known(profile)
    if (running !== undefined) running.devices++
  }
  return presence
}
