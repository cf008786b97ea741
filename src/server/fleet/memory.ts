import { Counters } from './counters.ts'
import { DeviceIndex } from './device-index.ts'
import { DeviceTable } from './device-table.ts'
import { LabelSets } from './label-sets.ts'
import { PresenceCheck } from './presence-check.ts'
import { Profiles } from './profiles.ts'
import type { FleetStore, NewDevice, TelemetryState } from './store.ts'

/** Most new devices that wait to be stored. */
const MAX_NEW_DEVICES = 200_000

/** All devices as of their last heartbeat, and what of it is not stored yet. Devices have numbers from 1. */
export class FleetMemory {
  readonly profiles = new Profiles()
  readonly table = new DeviceTable()
  readonly labelSets = new LabelSets()
  readonly counters = new Counters()
  readonly #index = new DeviceIndex()
  #newDevices: NewDevice[] = []

  /** The device's number, 0 where it is not known. */
  find(appKey: number, deviceId: string): number {
    return this.#index.find(appKey, deviceId)
  }

  /** Notes that a device runs `profile` at `at`. Answers its number, 0 where there is no room. */
  seen(appKey: number, deviceId: string, profile: number, at: number): number {
    if (profile === 0) return 0
    const known = this.#index.find(appKey, deviceId)
    if (known === 0) return this.#came(appKey, deviceId, profile, at)
    const { table } = this
    this.counters.deviceMoved(table.profile(known), table.lastSeen(known), profile, at)
    table.set(known, profile, at)
    return known
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

  /** Forgets devices. They must have nothing that is not stored yet but their rows. */
  forget(devices: Int32Array): void {
    for (const device of devices) this.table.forget(device)
    this.#index.forget((device) => this.table.profile(device) === 0)
  }

  /** Takes in what is stored. Answers whether a counter had to be mended. */
  async load(store: FleetStore, { lastDevice, lastProfile }: TelemetryState): Promise<boolean> {
    const presence = new PresenceCheck()
    const { table, labelSets } = this
    table.reserve(lastDevice)
    this.profiles.reserve(lastProfile)
    await store.load({
      profile: (profile) => this.profiles.load(profile),
      device: (id, appKey, deviceId, profile, lastSeen, labels) => {
        this.#index.add(appKey, deviceId, id)
        table.load(id, profile, lastSeen)
        if (labels !== '{}') table.setLabelSet(id, labelSets.numberOfText(labels))
      },
      replay: (device, profile, at) => {
        // The log still has the check-ins of devices that were removed.
        if (table.profile(device) !== 0) table.set(device, profile, at)
      },
      presence: (profile, day, devices) => presence.stored(profile, day, devices),
    })
    for (let device = 1; device <= table.highest; device++) {
      const profile = table.profile(device)
      if (profile !== 0) presence.device(profile, table.lastSeen(device))
    }
    return presence.mend(this.counters)
  }

  #came(appKey: number, deviceId: string, profile: number, at: number): number {
    if (this.#newDevices.length >= MAX_NEW_DEVICES) return 0
    const id = this.table.highest + 1
    this.#index.add(appKey, deviceId, id)
    this.table.load(id, profile, at)
    this.counters.deviceCame(profile, at)
    this.#newDevices.push({ id, appKey, deviceId, profile, firstSeen: at, lastSeen: at })
    return id
  }
}
