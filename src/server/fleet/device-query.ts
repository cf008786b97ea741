import type { HealthState } from '../../shared/health/health.ts'
import type { LabelMap } from '../../shared/names.ts'
import type { InstallProfile } from './facts.ts'

export type DeviceSort = 'lastSeen' | 'firstSeen' | 'deviceId' | 'version'

/** Where a page ended or began: the sort key, and the tiebreaker between equal keys. */
export interface DeviceCursor {
  /** Unix time of `lastSeen` in milliseconds, of `firstSeen` in the unit of the store, the text of the other two. */
  readonly key: number | string
  /** Meaningful to the store only. */
  readonly device: number
  /** Matching devices before that place when the page was read; undefined if they were not counted. */
  readonly before?: number | undefined
}

/** Finds devices by the beginning of their ID, ignoring case, or by a label if one is given. */
export interface DeviceSearch {
  readonly prefix: string
  /** `value` is undefined for any. */
  readonly label: { readonly key: string; readonly value: string | undefined } | undefined
}

/** Which devices a list shows. */
export interface DeviceFilter {
  readonly appKey: number
  /** Channels of the app, and those of them whose devices are listed. */
  readonly appChannels: readonly number[]
  readonly channels: readonly number[]
  /** Canonical version, platform and arch; undefined for any. */
  readonly version: string | undefined
  readonly platform: string | undefined
  readonly arch: string | undefined
  /** Unix time in milliseconds of the least recent last check-in; 0 for any. */
  readonly seenSince: number
  readonly search: DeviceSearch | undefined
  /** Undefined for any. */
  readonly health?: DeviceHealthFilter | undefined
}

/** Devices by what became of their last offer. */
export interface DeviceHealthFilter {
  readonly releaseId: string
  readonly states: readonly HealthState[]
  /** Unix time in milliseconds: decides which devices are silent. */
  readonly now: number
}

/** A query for a page of devices. */
export interface DeviceQuery extends DeviceFilter {
  readonly sort: DeviceSort
  readonly descending: boolean
  readonly cursor: DeviceCursor | undefined
  /** True for the page before the cursor. */
  readonly backward: boolean
  /** Devices on a page. */
  readonly limit: number
}

/** A device of a page. Its profile and last check-in may be newer than the rest. */
export interface ListedDevice {
  readonly deviceId: string
  readonly profile: InstallProfile
  readonly labels: LabelMap
  /** Unix time in milliseconds. */
  readonly firstSeen: number
  readonly lastSeen: number
}

export interface DevicePage {
  readonly rows: readonly ListedDevice[]
  /** Devices that match, and devices of the app. */
  readonly total: number
  readonly known: number
  /** Matching devices before the first row; undefined if they were not counted. */
  readonly offset: number | undefined
  readonly previous: DeviceCursor | undefined
  readonly next: DeviceCursor | undefined
  /** Versions and platforms of the app's devices, most devices first. */
  readonly versions: readonly string[]
  readonly platforms: readonly string[]
  readonly arches: readonly string[]
}
