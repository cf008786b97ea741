import type { NumberedProfile } from '../batch.ts'
import { DeviceIndex } from './device-index.ts'
import { DeviceTable } from './device-table.ts'
import { LabelSets } from './label-sets.ts'
import { OfferedReleases } from './offered-releases.ts'
import { Profiles } from './profiles.ts'

/** A device in memory. */
export interface KnownDevice {
  readonly device: number
  readonly profile: NumberedProfile
  /** Unix time in milliseconds. */
  readonly lastSeen: number
  /** Ids of its newest check-in and profile change; 0 if none is known. */
  readonly lastCheckIn: number
  readonly lastChange: number
}

/** All devices as of their last check-in. Devices have numbers from 1. */
export class FleetMemory {
  readonly profiles: Profiles
  readonly table = new DeviceTable()
  readonly labelSets = new LabelSets()
  readonly releases = new OfferedReleases()
  /** Unix time in milliseconds; 0 if no device was stored. */
  newestSeenAtStart = 0
  readonly #index = new DeviceIndex()
  /** Numbers of forgotten devices that can be reused. */
  #freeNumbers: number[] = []

  /** `combinations`: see `Profiles`. */
  constructor(combinations: number) {
    this.profiles = new Profiles(combinations)
  }

  /** Returns the device's number, 0 if it is unknown. */
  find(appKey: number, deviceId: string): number {
    return this.#index.find(appKey, deviceId)
  }

  /** Returns the profile of a known device as of its last check-in. */
  profileOf(appKey: number, deviceId: string): NumberedProfile | undefined {
    return this.profiles.get(this.table.profile(this.find(appKey, deviceId)))
  }

  /** Returns a known device as of its last check-in, which may not be written yet. */
  known(appKey: number, deviceId: string): KnownDevice | undefined {
    const { table, profiles } = this
    const device = this.find(appKey, deviceId)
    const profile = profiles.get(table.profile(device))
    if (profile === undefined) return undefined
    const [lastSeen, lastCheckIn] = [table.lastSeen(device), table.lastCheckIn(device)]
    return { device, profile, lastSeen, lastCheckIn, lastChange: table.lastChange(device) }
  }

  /** Returns the profiles of a channel, and a copy of the profile of each device by its number. */
  profilesOn(channelKey: number): {
    profiles: NumberedProfile[]
    byDevice: Int32Array<SharedArrayBuffer>
  } {
    const { profiles, table } = this
    return { profiles: profiles.ofChannel(channelKey), byDevice: table.profiles() }
  }

  /** Adds an unknown device. `at`: Unix time in milliseconds. Returns its number. */
  add(appKey: number, deviceId: string, profile: number, at: number): number {
    const device = this.#freeNumbers.pop() ?? this.table.highest + 1
    this.#index.add(appKey, deviceId, device)
    this.table.load(device, profile, at)
    this.table.setFirstSeen(device, at)
    return device
  }

  /** Makes room for the numbers up to `device`, before `load`. None of them is assigned again. */
  reserve(device: number): void {
    this.table.reserve(device)
    this.#index.reserve(device)
  }

  /** Adds a stored device with that number. It is found after `loaded`. */
  load(appKey: number, deviceId: string, device: number): void {
    this.#index.append(appKey, deviceId, device)
  }

  /** Ends the loading of stored devices. */
  loaded(): void {
    this.#index.arrange()
  }

  /** Removes one device. Does nothing if it is unknown. */
  remove(appKey: number, deviceId: string): void {
    const device = this.find(appKey, deviceId)
    if (device === 0) return
    this.#index.remove(appKey, deviceId)
    this.table.forget(device)
  }

  /** The numbers of the devices whose last check-in was on one of the channels, ascending. */
  devicesOn(channelKeys: ReadonlySet<number>): Int32Array<ArrayBuffer> {
    const devices: number[] = []
    for (let device = 1; device <= this.table.highest; device++) {
      const channelKey = this.profiles.get(this.table.profile(device))?.channelKey
      if (channelKey !== undefined && channelKeys.has(channelKey)) devices.push(device)
    }
    return Int32Array.from(devices)
  }

  /**
   * Removes devices that were deleted from the store. Except for their rows, all their data must be stored, and
   * nothing may change them meanwhile.
   */
  async forget(devices: Int32Array): Promise<void> {
    const gone = new Uint8Array(this.table.highest + 1)
    for (const device of devices) gone[device] = 1
    // A device must look unchanged until its shard has removed it.
    await this.#index.forget((device) => gone[device] === 1)
    for (const device of devices) {
      const left = this.profiles.known(this.table.profile(device))
      if (left !== undefined) left.devices--
      this.table.forget(device)
    }
  }

  /** Removes the profiles and releases of a channel that was removed with all its devices. */
  drop(channelKey: number): void {
    this.profiles.drop(channelKey)
    this.releases.drop(channelKey)
  }

  /** Makes these numbers, from `findFreed`, available again. */
  reuse(numbers: Int32Array): void {
    for (const number of numbers) {
      // They were found earlier, on another thread.
      const isFree = this.table.profile(number) === 0 && this.table.lastCheckIn(number) !== 0
      if (!isFree) continue
      // From now on it is no longer found.
      this.table.setLastCheckIn(number, 0)
      this.#freeNumbers.push(number)
    }
  }

  /** How many assigned numbers cannot be reused. */
  get numbersInUse(): number {
    return this.table.highest - this.#freeNumbers.length
  }
}
