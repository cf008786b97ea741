import { Counters } from './counters/counters.ts'
import { PresenceCheck } from './counters/presence-check.ts'
import { DeviceIndex } from './devices/device-index.ts'
import { DeviceTable } from './devices/device-table.ts'
import { LabelSets } from './devices/label-sets.ts'
import type { Admission } from './ingest/admission.ts'
import { ChangeQueue } from './ingest/change-queue.ts'
import type { KnownProfile } from './profiles/profile-tree.ts'
import { Profiles } from './profiles/profiles.ts'
import type { FleetStore, NewDevice, TelemetryState } from './store.ts'
import { dayOf } from './time.ts'

/** Returned by `seen` for a new device that is not admitted. */
export const NOT_ADMITTED = -1
/** Most new devices that wait to be stored. */
const MAX_NEW_DEVICES = 200_000

/** All devices as of their last heartbeat, and what of it is not stored yet. Devices have numbers from 1. */
export class FleetMemory {
  readonly profiles: Profiles
  readonly table = new DeviceTable()
  readonly labelSets = new LabelSets()
  readonly counters = new Counters()
  readonly #index = new DeviceIndex()
  readonly #changes = new ChangeQueue()
  readonly #admission: Pick<Admission, 'admits'>
  /** Unix time in milliseconds; 0 where no device was stored. */
  newestSeenAtStart = 0
  #newDevices: NewDevice[] = []
  #gone: number[] = []
  /** Numbers of forgotten devices that can be reused. */
  #freeNumbers: number[] = []

  /** `combinations`: see `Profiles`. */
  constructor(combinations: number, admission: Pick<Admission, 'admits'>) {
    this.profiles = new Profiles(combinations)
    this.#admission = admission
  }

  /** Returns whether that many new devices fit. */
  hasRoomFor(devices: number): boolean {
    return this.#newDevices.length + devices <= MAX_NEW_DEVICES
  }

  /** The device's number, 0 where it is not known. */
  find(appKey: number, deviceId: string): number {
    return this.#index.find(appKey, deviceId)
  }

  /**
   * Records that a device runs `profile` at `at`, according to check-in number `checkIn`. `caller`: the
   * address of a caller without a key, who can add no more than `admission` allows. Returns its number,
   * 0 if there is no room.
   */
  seen(
    appKey: number,
    deviceId: string,
    running: KnownProfile,
    at: number,
    checkIn: number,
    caller: string | undefined,
  ): number {
    const profile = running.profile.id
    const known = this.#index.find(appKey, deviceId)
    if (known === 0) {
      if (caller !== undefined && !this.#admission.admits(caller, this.#numbersInUse)) {
        return NOT_ADMITTED
      }
      return this.#came(appKey, deviceId, running, at, checkIn, caller === undefined)
    }
    const { table } = this
    const oldProfile = table.profile(known)
    this.counters.deviceMoved(oldProfile, table.lastSeen(known), profile, at)
    // A device that came before changes were kept has none: its history begins here.
    if (oldProfile !== profile || table.lastChange(known) === 0) {
      this.#change(known, profile, at, checkIn)
    }
    if (oldProfile !== profile) {
      this.#leave(oldProfile, dayOf(at), checkIn)
      running.devices++
    }
    table.set(known, profile, at)
    return known
  }

  /**
   * Records that a device was seen without a check-in in the log, and so without adding a row. Without
   * `running` it keeps its profile. `checkIn`: the number of the next one. Returns false if the
   * device is not known.
   */
  seenUnlogged(
    appKey: number,
    deviceId: string,
    running: KnownProfile | undefined,
    at: number,
    checkIn: number,
  ): boolean {
    const { table } = this
    const known = this.#index.find(appKey, deviceId)
    if (known === 0) return false
    const oldProfile = table.profile(known)
    const profile = running?.profile.id ?? oldProfile
    this.counters.deviceMoved(oldProfile, table.lastSeen(known), profile, at)
    if (running !== undefined && profile !== oldProfile) {
      this.#leave(oldProfile, dayOf(at), checkIn)
      running.devices++
    }
    table.set(known, profile, at)
    return true
  }

  /** Puts a check-in at the end of the device's chain. Answers the one before it, 0 for none. */
  link(device: number, checkIn: number): number {
    const previous = this.table.lastCheckIn(device)
    this.table.setLastCheckIn(device, checkIn)
    return previous
  }

  /** Hands over the profile changes that are not stored yet. */
  takeChanges(): Float64Array {
    return this.#changes.take()
  }

  /** Hands over the devices that are not stored yet. */
  takeNewDevices(): readonly NewDevice[] {
    const newDevices = this.#newDevices
    this.#newDevices = []
    return newDevices
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

  /**
   * Forgets one device; the next batch deletes it. A later check-in creates a new device.
   * `checkIn`: the number of the next check-in, until which its profile stays. Returns its number, 0
   * where it is not known.
   */
  forgetOne(appKey: number, deviceId: string, checkIn: number): number {
    const { table } = this
    const device = this.#index.find(appKey, deviceId)
    if (device === 0) return 0
    const [profile, lastSeen] = [table.profile(device), table.lastSeen(device)]
    this.#index.remove(appKey, deviceId)
    this.counters.deviceLeft(profile, lastSeen)
    const left = this.profiles.known(profile)
    if (left !== undefined) {
      left.devices--
      left.leftAt = checkIn
    }
    this.#gone.push(device, table.lastCheckIn(device), table.lastChange(device))
    this.#newDevices = this.#newDevices.filter(({ id }) => id !== device)
    table.forget(device)
    return device
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

  get #numbersInUse(): number {
    return this.table.highest - this.#freeNumbers.length
  }

  /** Returns whether devices are waiting to be deleted from the store. */
  get hasGone(): boolean {
    return this.#gone.length > 0
  }

  /** Hands over the devices to delete from the store. */
  takeGone(): Float64Array {
    const gone = Float64Array.from(this.#gone)
    this.#gone = []
    return gone
  }

  /** Takes in what is stored. Answers whether a counter had to be mended. */
  async load(store: FleetStore, state: TelemetryState): Promise<boolean> {
    const { lastDevice, lastProfile, lastCheckIn } = state
    const presence = new PresenceCheck()
    const { table, labelSets } = this
    table.reserve(lastDevice)
    this.profiles.reserve(lastProfile)
    await store.load({
      profile: (profile) => {
        // Device rows may be behind the log and still refer to it.
        this.profiles.load(profile).leftAt = lastCheckIn
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
        this.#index.add(appKey, deviceId, id)
        table.load(id, profile, lastSeen)
        table.setLastCheckIn(id, lastCheckIn)
        table.setLastChange(id, lastChange)
        if (labels !== '{}') table.setLabelSet(id, labelSets.numberOfText(labels))
      },
      freed: (device, lastCheckIn) => table.forget(device, lastCheckIn),
      replay: (device, profile, at, checkIn) => {
        // The log still has the check-ins of devices that were removed, and a row that was written
        // since the round before this one contains some of them.
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
      if (lastSeen > this.newestSeenAtStart) this.newestSeenAtStart = lastSeen
      const running = this.profiles.known(profile)
      if (running !== undefined) running.devices++
    }
    return presence.mend(this.counters)
  }

  #came(
    appKey: number,
    deviceId: string,
    running: KnownProfile,
    at: number,
    lastCheckIn: number,
    keyed: boolean,
  ): number {
    if (!this.hasRoomFor(1)) return 0
    const profile = running.profile.id
    running.devices++
    const id = this.#freeNumbers.pop() ?? this.table.highest + 1
    this.#index.add(appKey, deviceId, id)
    this.table.load(id, profile, at)
    this.table.setFirstSeen(id, at)
    this.counters.deviceCame(profile, at)
    this.#change(id, profile, at, lastCheckIn)
    const lastChange = this.table.lastChange(id)
    const device = { id, appKey, deviceId, profile, firstSeen: at, lastSeen: at }
    this.#newDevices.push({ ...device, lastCheckIn, lastChange, keyed })
    return id
  }

  #leave(profile: number, day: number, checkIn: number): void {
    const left = this.profiles.known(profile)
    if (left === undefined) return
    left.devices--
    left.leftAt = checkIn
    this.profiles.touch(left, day)
  }

  /** Where there is no room for the change, the device's history goes without it. */
  #change(device: number, profile: number, at: number, checkIn: number): void {
    const previous = this.table.lastChange(device)
    if (this.#changes.push(checkIn, device, at, profile, previous)) {
      this.table.setLastChange(device, checkIn)
    }
  }
}
