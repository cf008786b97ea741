import type { CheckIn } from '../../../fleet/check-in.ts'
import { dayOf } from '../../../fleet/time.ts'
import type { DeviceTable } from '../memory/device-table.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'
import type { KnownProfile } from '../memory/profile-tree.ts'
import type { Profiles } from '../memory/profiles.ts'
import type { ChangeQueue } from './change-queue.ts'
import type { CheckInQueue } from './check-in-queue.ts'
import type { Episodes } from './episodes.ts'
import type { PendingBatch } from './pending-batch.ts'

/** The devices that check in: all of the fleet, or those of a batch. */
export interface MovesMemory extends Pick<FleetMemory, 'add' | 'find' | 'remove'> {
  readonly table: DeviceTable
  readonly profiles: Pick<Profiles, 'known' | 'touch'>
}

/** Where changes of the devices are added. */
export interface MovesPending
  extends Pick<PendingBatch, 'counters' | 'addDevice' | 'deleteDevice'> {
  readonly changes: Pick<ChangeQueue, 'push'>
  readonly checkIns: Pick<CheckInQueue, 'nextId'>
}

/** Applies check-ins to the memory, and adds the changes to the pending batch. */
export class DeviceMoves {
  readonly #memory: MovesMemory
  readonly #pending: MovesPending
  readonly #episodes: Episodes

  constructor(memory: MovesMemory, pending: MovesPending, episodes: Episodes) {
    this.#memory = memory
    this.#pending = pending
    this.#episodes = episodes
  }

  /**
   * Adds the device of a check-in, which becomes the one with the number `checkIn`. The pending batch must have room
   * for it. Returns the device's number.
   */
  came(sent: CheckIn, deviceId: string, running: KnownProfile, checkIn: number): number {
    const { appKey, at } = sent
    const profile = running.profile.id
    running.devices++
    const id = this.#memory.add(appKey, deviceId, profile, at)
    this.#pending.counters.deviceCame(profile, at)
    this.#change(id, profile, at, checkIn)
    this.#episodes.came(id, sent)
    const { table } = this.#memory
    this.#pending.addDevice({
      ...{ id, appKey, deviceId, profile, firstSeen: at, lastSeen: at },
      ...{ lastCheckIn: checkIn, lastChange: table.lastChange(id) },
      ...{ episode: table.episode(id), offeredAt: table.offeredAt(id) },
      evidence: table.evidence(id),
      // Only callers without a key have an address.
      keyed: sent.caller === undefined,
    })
    return id
  }

  /** Records that a known device runs `running`, according to a check-in, which becomes the one with that number. */
  seen(device: number, running: KnownProfile, sent: CheckIn, checkIn: number): void {
    const { table } = this.#memory
    const { at } = sent
    this.#episodes.seen(device, running, sent)
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
    this.#episodes.seenUnlogged(device, running, at)
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
    this.#episodes.left(device)
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
