import { dayOf } from '../../../fleet/time.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'
import type { KnownProfile } from '../memory/profile-tree.ts'
import type { PendingBatch } from './pending-batch.ts'

/** Applies check-ins to the memory, and adds the changes to the pending batch. */
export class DeviceMoves {
  readonly #memory: FleetMemory
  readonly #pending: PendingBatch

  constructor(memory: FleetMemory, pending: PendingBatch) {
    this.#memory = memory
    this.#pending = pending
  }

  /**
   * Adds the device of a check-in. The pending batch must have room for it. `keyed`: whether
   * the check-in came with a key. Returns its number.
   */
  came(
    appKey: number,
    deviceId: string,
    running: KnownProfile,
    at: number,
    checkIn: number,
    keyed: boolean,
  ): number {
    const profile = running.profile.id
    running.devices++
    const id = this.#memory.add(appKey, deviceId, profile, at)
    this.#pending.counters.deviceCame(profile, at)
    this.#change(id, profile, at, checkIn)
    const lastChange = this.#memory.table.lastChange(id)
    const device = { id, appKey, deviceId, profile, firstSeen: at, lastSeen: at }
    this.#pending.addDevice({ ...device, lastCheckIn: checkIn, lastChange, keyed })
    return id
  }

  /** Records that a known device runs `running` at `at`, according to a check-in. */
  seen(device: number, running: KnownProfile, at: number, checkIn: number): void {
    const { table } = this.#memory
    const profile = running.profile.id
    const oldProfile = table.profile(device)
    this.#pending.counters.deviceMoved(oldProfile, table.lastSeen(device), profile, at)
    // A device from before changes were stored has none: its history begins here.
    if (oldProfile !== profile || table.lastChange(device) === 0) {
      this.#change(device, profile, at, checkIn)
    }
    if (oldProfile !== profile) {
      this.#leave(oldProfile, dayOf(at), checkIn)
      running.devices++
    }
    table.set(device, profile, at)
  }

  /**
   * Records that a known device was seen, without a check-in in the log and thus without a new row. Without
   * `running`, it keeps its profile.
   */
  seenUnlogged(device: number, running: KnownProfile | undefined, at: number): void {
    const { table } = this.#memory
    const oldProfile = table.profile(device)
    const profile = running?.profile.id ?? oldProfile
    this.#pending.counters.deviceMoved(oldProfile, table.lastSeen(device), profile, at)
    if (running !== undefined && profile !== oldProfile) {
      this.#leave(oldProfile, dayOf(at), this.#pending.checkIns.nextId)
      running.devices++
    }
    table.set(device, profile, at)
  }

  /** Adds a check-in to the end of the device's chain. Returns the previous one, 0 for none. */
  link(device: number, checkIn: number): number {
    const { table } = this.#memory
    const previous = table.lastCheckIn(device)
    table.setLastCheckIn(device, checkIn)
    return previous
  }

  /** Removes a known device; a later check-in creates a new one. */
  left(appKey: number, deviceId: string): void {
    const { table } = this.#memory
    const device = this.#memory.find(appKey, deviceId)
    const [profile, lastSeen] = [table.profile(device), table.lastSeen(device)]
    this.#pending.counters.deviceLeft(profile, lastSeen)
    const running = this.#memory.profiles.known(profile)
    if (running !== undefined) {
      running.devices--
      running.leftAt = this.#pending.checkIns.nextId
    }
    this.#pending.deleteDevice(device, table.lastCheckIn(device), table.lastChange(device))
    this.#memory.remove(appKey, deviceId)
  }

  #leave(profile: number, day: number, checkIn: number): void {
    const left = this.#memory.profiles.known(profile)
    if (left === undefined) return
    left.devices--
    left.leftAt = checkIn
    this.#memory.profiles.touch(left, day)
  }

  /** If the queue is full, the change is missing from the device's history. */
  #change(device: number, profile: number, at: number, checkIn: number): void {
    const { table } = this.#memory
    const previous = table.lastChange(device)
    if (this.#pending.changes.push(checkIn, device, at, profile, previous)) {
      table.setLastChange(device, checkIn)
    }
  }
}
