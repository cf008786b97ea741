import type { LabelMap } from '../../../shared/names.ts'

export type DeviceSort = 'lastSeen' | 'firstSeen' | 'deviceId' | 'version'

/** Where a page ended or began: what it is sorted by, and the device. */
export interface ListCursor {
  /** Unix time of `lastSeen` in milliseconds, of `firstSeen` in seconds, the text of the other two. */
  readonly key: number | string
  /** The device's number. */
  readonly device: number
}

/** A question for a page of devices. It crosses to the reader thread. */
export interface DeviceListQuery {
  /** The memory of the devices, from `DeviceTable.share()`. */
  readonly chunks: readonly SharedArrayBuffer[]
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
  readonly sort: DeviceSort
  readonly descending: boolean
  readonly cursor: ListCursor | undefined
  readonly backward: boolean
  /** Devices on a page. */
  readonly limit: number
}

/** A device is found by the beginning of its id, or where a label was named, by that label. */
export interface DeviceSearch {
  readonly prefix: string
  readonly label: LabelSearch | undefined
}

export interface LabelSearch {
  readonly key: string
  /** Undefined for any value. */
  readonly value: string | undefined
  /** 1 for each label set in memory, by number, that has the label. */
  readonly sets: Uint8Array
}

/** A device of the page, as stored but for what its last check-in said. */
export interface DeviceListRow {
  readonly device: number
  readonly deviceId: string
  readonly profile: RunningProfile
  readonly labels: LabelMap
  /** Unix time in milliseconds. */
  readonly firstSeen: number
  readonly lastSeen: number
}

export interface RunningProfile {
  readonly channelKey: number
  readonly version: string
  readonly platform: string
  readonly arch: string
}

export interface DeviceListRows {
  readonly rows: readonly DeviceListRow[]
  /** Devices that match, and devices of the app. */
  readonly total: number
  readonly known: number
  /** Matching devices before the first row; undefined where they were not counted. */
  readonly offset: number | undefined
  readonly previous: ListCursor | undefined
  readonly next: ListCursor | undefined
  /** What the app's devices run, most devices first. */
  readonly versions: readonly string[]
  readonly platforms: readonly string[]
  readonly arches: readonly string[]
}
