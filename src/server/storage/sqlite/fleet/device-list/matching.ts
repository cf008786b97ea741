import { deviceCell } from '../../../../fleet/health/cells.ts'
import { WAITING } from '../../../../fleet/health/episode.ts'
import { intervalOf, phaseOf } from '../../../../fleet/health/packed-episode.ts'
import { UNKNOWN_SET } from '../../../shared/memory/label-sets.ts'

/** A set of device numbers, one bit each: a million devices are 125 kB. */
export class BitSet {
  #words = new Uint32Array(1_024)

  add(device: number): void {
    const word = device >>> 5
    if (word >= this.#words.length) this.#grow(word)
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (device & 31))
  }

  has(device: number): boolean {
    return (((this.#words[device >>> 5] ?? 0) >>> (device & 31)) & 1) === 1
  }

  #grow(word: number): void {
    const words = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)))
    words.set(this.#words)
    this.#words = words
  }
}

/** The fields of a device that are tested. `SharedDevices` implements it. */
export interface DeviceColumns {
  readonly highest: number
  profile(device: number): number
  lastSeen(device: number): number
  firstSeen(device: number): number
  labelSet(device: number): number
  release(device: number): number
  progress(device: number): number
  countByProfile(highest: number, room: number): Uint32Array
}

/** A list's filters, prepared. */
export interface Conditions {
  /** By profile: 2 if its devices are listed, 1 if they belong to the app, else 0. */
  readonly profiles: Uint8Array
  readonly seenSince: number
  /** Undefined if there is no search text. */
  readonly search: PreparedSearch | undefined
  /** Undefined if the list is not about a release. */
  readonly health: PreparedHealth | undefined
}

/** What became of the devices of one release. */
export interface PreparedHealth {
  readonly release: number
  /** 1 for each phase, by number, whose devices are listed; of those that wait, see the next two. */
  readonly phases: Uint8Array
  readonly waiting: boolean
  readonly silent: boolean
  isSilent(hour: number): boolean
}

export interface PreparedSearch {
  /** Devices whose id begins with the text. */
  readonly ids: BitSet
  /** 1 for each label set that has the label; undefined if no label was named. */
  readonly sets: Uint8Array | undefined
  /** Devices with the label whose label sets did not fit into memory. */
  readonly unknownSets: BitSet
}

/** Returns whether a device is listed. */
export function isListed(
  devices: DeviceColumns,
  device: number,
  { profiles, seenSince, search, health }: Conditions,
): boolean {
  if (profiles[devices.profile(device)] !== 2) return false
  if (devices.lastSeen(device) < seenSince) return false
  if (health !== undefined && !isInState(devices, device, health)) return false
  return search === undefined || isFound(devices, device, search)
}

function isInState(
  devices: DeviceColumns,
  device: number,
  { release, phases, waiting, silent, isSilent }: PreparedHealth,
): boolean {
  if (release === 0 || devices.release(device) !== release) return false
  const progress = devices.progress(device)
  const phase = phaseOf(progress)
  if (phase !== WAITING) return phases[phase] === 1
  const isGone = isSilent(deviceCell(phase, intervalOf(progress), devices.lastSeen(device)))
  return isGone ? silent : waiting
}

function isFound(
  devices: DeviceColumns,
  device: number,
  { ids, sets, unknownSets }: PreparedSearch,
): boolean {
  if (ids.has(device)) return true
  if (sets === undefined) return false
  const set = devices.labelSet(device)
  return set === UNKNOWN_SET ? unknownSets.has(device) : sets[set] === 1
}

/** The number of matching devices, and which they are if they are few. */
export function countMatches(
  devices: DeviceColumns,
  highest: number,
  conditions: Conditions,
  few: number,
): { total: number; matches: readonly number[] } {
  const matches: number[] = []
  let total = 0
  for (let device = 1; device <= highest; device++) {
    if (!isListed(devices, device, conditions)) continue
    if (++total <= few) matches.push(device)
  }
  return { total, matches }
}
