import type { DeviceName } from '../../../../fleet/facts.ts'
import { progressOf, releaseOf } from '../../../../fleet/health/packed-episode.ts'
import type { NewDevice } from '../../../shared/batch.ts'
import type { DeviceTable } from '../../../shared/memory/device-table.ts'
import type { OfferedReleases } from '../../../shared/memory/offered-releases.ts'
import { ByDevice } from './fact.ts'

/** The row of a device, as it was when it was locked. */
export interface LockedDevice extends Omit<NewDevice, keyof DeviceName | 'keyed'> {
  /** Its place among the names that were asked for, from 1. */
  readonly place: number
  /** Where the row is in its table: there it stays until the transaction writes it or ends. */
  readonly tid: string
}

/**
 * The devices of one batch, numbered from 1: those that are stored, and those that the batch adds. The rules for check-ins
 * work on it as they do on all devices of a fleet in memory.
 */
export class BatchDevices {
  readonly table: DeviceTable
  readonly #byName = new ByDevice<number>()
  readonly #names: (DeviceName | undefined)[] = [undefined]
  /** Their ids in the database; undefined for a new one. */
  readonly #ids: (number | undefined)[] = [undefined]
  /** Where their rows are; empty for a new one. */
  readonly #tids: string[] = ['']

  /** `table`: one that no other batch uses now. What it has of batches before is replaced. */
  constructor(table: DeviceTable) {
    this.table = table
  }

  /** Adds a stored device. The episode of a release that was removed is over. */
  load(name: DeviceName, row: LockedDevice, releases: OfferedReleases): void {
    const device = this.#number(name, row.tid)
    this.#ids[device] = row.id
    const release = releaseOf(row.episode)
    const isKnown = releases.get(release) !== undefined
    this.table.load(device, row.profile, row.lastSeen)
    this.table.setLastCheckIn(device, row.lastCheckIn)
    this.table.setLastChange(device, row.lastChange)
    this.table.setEpisode(device, isKnown ? release : 0, progressOf(row.episode))
    this.table.setOfferedAt(device, row.offeredAt)
    this.table.setFirstSeen(device, row.firstSeen)
    this.table.setEvidence(device, row.evidence)
  }

  /** Returns the device's number, 0 if it is unknown. */
  find(appKey: number, deviceId: string): number {
    return this.#byName.get(appKey, deviceId) ?? 0
  }

  /** Adds a device that is not stored. Returns its number. */
  add(appKey: number, deviceId: string, profile: number, at: number): number {
    const device = this.#number({ appKey, deviceId }, '')
    this.table.load(device, profile, at)
    this.table.setLastCheckIn(device, 0)
    this.table.setLastChange(device, 0)
    this.table.setEpisode(device, 0, 0)
    this.table.setOfferedAt(device, 0)
    this.table.setFirstSeen(device, at)
    this.table.setEvidence(device, 0)
    return device
  }

  /** No batch removes devices. */
  remove(): void {
    throw new Error('a batch removes no device')
  }

  name(device: number): DeviceName {
    const name = this.#names[device]
    if (name === undefined) throw new RangeError(`no such device ${device}`)
    return name
  }

  /** The id in the database; undefined for a new device without one. */
  id(device: number): number | undefined {
    return this.#ids[device]
  }

  /** Where the row is in the table. Throws for a new device. */
  tid(device: number): string {
    const tid = this.#tids[device]
    if (tid === undefined || tid === '') throw new RangeError(`no row of device ${device}`)
    return tid
  }

  setId(device: number, id: number): void {
    this.#ids[device] = id
  }

  /** The numbers of all devices. */
  *numbers(): Iterable<number> {
    for (let device = 1; device < this.#names.length; device++) yield device
  }

  #number(name: DeviceName, tid: string): number {
    const device = this.#names.length
    this.#names.push(name)
    this.#ids.push(undefined)
    this.#tids.push(tid)
    this.#byName.set(name.appKey, name.deviceId, device)
    return device
  }
}
