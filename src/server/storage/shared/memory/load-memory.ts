import { eachCell, isOfDevices } from '../../../fleet/health/cells.ts'
import { intervalOf, phaseOf, readStage } from '../../../fleet/health/packed-episode.ts'
import { nextInterval } from '../../../fleet/health/usual-interval.ts'
import { withoutEpisode } from '../../../fleet/health/weight.ts'
import { dayOf } from '../../../fleet/time.ts'
import type { TelemetryDatabase, TelemetryState } from '../batch.ts'
import { type Counters, cellOf } from '../ingest/counters.ts'
import { HealthCounters } from '../ingest/episode-counts.ts'
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
  memory.reserve(lastDevice)
  profiles.reserve(lastProfile)
  releases.reserve(lastRelease)
  await store.load({
    profile: (profile) => {
      // Device rows that are behind the log may still refer to it.
      profiles.load(profile).leftAt = newest
    },
    release: (release) => releases.load(release),
    chunks: table.share(),
    device(id, appKey, deviceId, labels) {
      memory.load(appKey, deviceId, id)
      if (labels !== null) table.setLabelSet(id, labelSets.numberOfText(labels))
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
  memory.loaded()
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

/**
 * Compares the stored presence counter with the devices, cell by cell. They differ only if check-ins were lost
 * before a crash. Without a correction, the difference would never go away.
 */
class PresenceCheck {
  readonly #missing = new Map<number, number>()

  /** A stored cell. */
  stored(profile: number, day: number, devices: number): void {
    this.#add(cellOf(profile, day), -devices)
  }

  /** A device in memory. `lastSeen`: Unix milliseconds. */
  device(profile: number, lastSeen: number): void {
    this.#add(cellOf(profile, dayOf(lastSeen)), 1)
  }

  /** Corrects every wrong cell. Returns whether there was one. */
  repair(counters: Counters): boolean {
    let repaired = false
    for (const [cell, change] of this.#missing) {
      if (change === 0) continue
      counters.mendPresence(cell, change)
      repaired = true
    }
    return repaired
  }

  #add(cell: number, change: number): void {
    this.#missing.set(cell, (this.#missing.get(cell) ?? 0) + change)
  }
}

/**
 * Compares the stored counters of releases with the devices, as `PresenceCheck` does for presence. Cells that count what
 * was cannot be recounted, and stay.
 */
class HealthCheck {
  readonly #missing = new HealthCounters()

  /** A stored cell. */
  stored(release: number, cell: number, devices: number): void {
    if (isOfDevices(cell)) this.#missing.add(release, cell, -devices)
  }

  /** A device in memory that has an episode. `lastSeen`: Unix ms. */
  device(release: number, progress: number, lastSeen: number, evidence: number): void {
    const [phase, interval] = [phaseOf(progress), intervalOf(progress)]
    const count = (cell: number) => this.#missing.add(release, cell, 1)
    eachCell(phase, interval, lastSeen, evidence, count)
  }

  /** Corrects every wrong cell. Returns whether there was one. */
  repair(counters: HealthCounters): boolean {
    const missing = this.#missing.take()
    for (let at = 0; at < missing.length; at += 3) {
      counters.add(missing[at] ?? 0, missing[at + 1] ?? 0, missing[at + 2] ?? 0)
    }
    return missing.length > 0
  }
}
