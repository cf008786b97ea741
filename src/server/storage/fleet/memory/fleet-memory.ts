import type { NumberedProfile } from '../batch.ts'
import { DeviceIndex } from './device-index.ts'
import { DeviceTable } from './device-table.ts'
import { LabelSets } from './label-sets.ts'
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
  /** Unix time in milliseconds; 0 if no device was stored. */
  newestSeenAtStart = 0
  readonly #index = new DeviceIndex()
  /** Numbers of forgotten devices that can be reused. */
  #freeNumbers: number[] = []

  /** `combinations`: see `Profiles`. */
  constructor(combinations: number) {
    this.profiles = new Profiles(combinations)
  }

  /** The device's number, 0 if it is not known. */
  find(appKey: number, deviceId: string): number {
    return this.#index.find(appKey, deviceId)
  }

  /** What a known device runs, as of its last check-in. */
  profileOf(appKey: number, deviceId: string): NumberedProfile | undefined {
    return this.profiles.get(this.table.profile(this.find(appKey, deviceId)))
  }

  /** A known device as of its last check-in, which may wait to be written still. */
  known(appKey: number, deviceId: string): KnownDevice | undefined {
    const { table, profiles } = this
    const device = this.find(appKey, deviceId)
    const profile = profiles.get(table.profile(device))
    if (profile === undefined) return undefined
    const [lastSeen, lastCheckIn] = [table.lastSeen(device), table.lastCheckIn(device)]
    return { device, profile, lastSeen, lastCheckIn, lastChange: table.lastChange(device) }
  }

  /** What the devices of a channel run, and which of it each device runs, by its number. A copy. */
  profilesOn(channelKey: number): {
    profiles: NumberedProfile[]
    byDevice: Int32Array<SharedArrayBuffer>
  } {
    const { profiles, table } = this
    return { profiles: profiles.ofChannel(channelKey), byDevice: table.profiles() }
  }

  /** Adds a device that is not known yet. `at`: Unix time in milliseconds. Returns its number. */
  add(appKey: number, deviceId: string, profile: number, at: number): number {
    const device = this.#freeNumbers.pop() ?? this.table.highest + 1
    this.index(appKey, deviceId, device)
    this.table.load(device, profile, at)
    this.table.setFirstSeen(device, at)
    return device
  }

  /** Makes a stored device known by that number. */
  index(appKey: number, deviceId: string, device: number): void {
    this.#index.add(appKey, deviceId, device)
  }

  /** Removes one device. Does nothing if it is not known. */
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
   * Forgets devices that are deleted from the store. Except for their rows, everything about them must be
   * stored, and nothing may change them in the meantime.
   */
  async forget(devices: Int32Array): Promise<void> {
    const gone = new Uint8Array(this.table.highest + 1)
    for (const device of devices) gone[device] = 1
    // Until a shard has forgotten it, a device must look unchanged.
    await this.#index.forget((device) => gone[device] === 1)
    for (const device of devices) {
      const left = this.profiles.known(this.table.profile(device))
      if (left !== undefined) left.devices--
      this.table.forget(device)
    }
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

  /** How many numbers are given out and cannot be reused. */
  get numbersInUse(): number {
    return this.table.highest - this.#freeNumbers.length
  }
}
