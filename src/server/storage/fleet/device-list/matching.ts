import { UNKNOWN_SET } from '../memory/label-sets.ts'
import type { BitSet } from './bit-set.ts'

/** The fields of a device that are tested. `SharedDevices` implements it. */
export interface DeviceColumns {
  readonly highest: number
  profile(device: number): number
  lastSeen(device: number): number
  firstSeen(device: number): number
  labelSet(device: number): number
  countByProfile(highest: number, room: number): Uint32Array
}

/** A list's filters, prepared. */
export interface Conditions {
  /** By profile: 2 if its devices are listed, 1 if they belong to the app, else 0. */
  readonly profiles: Uint8Array
  readonly seenSince: number
  /** Undefined if there is no search text. */
  readonly search: PreparedSearch | undefined
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
  { profiles, seenSince, search }: Conditions,
): boolean {
  if (profiles[devices.profile(device)] !== 2) return false
  if (devices.lastSeen(device) < seenSince) return false
  return search === undefined || isFound(devices, device, search)
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
