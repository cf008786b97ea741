import type { LabelMap } from '../../../../../shared/names.ts'
import type {
  DeviceHealthFilter,
  DevicePage,
  DeviceQuery,
  DeviceSearch,
  ListedDevice,
} from '../../../../fleet/device-query.ts'
import type { NumberedProfile } from '../../../shared/batch.ts'

/** A query for a page of devices, with the data that the reader thread needs. */
export interface DeviceListQuery extends Omit<DeviceQuery, 'search' | 'health'> {
  /** The memory of the devices, from `DeviceTable.share()`. */
  readonly chunks: readonly SharedArrayBuffer[]
  readonly search: DeviceListSearch | undefined
  readonly health?: DeviceListHealth | undefined
}

export interface DeviceListHealth extends Omit<DeviceHealthFilter, 'releaseId'> {
  /** The number of the release; 0 if no device was offered it. */
  readonly release: number
}

export interface DeviceListSearch extends Omit<DeviceSearch, 'label'> {
  readonly label: LabelSearch | undefined
}

export interface LabelSearch extends NonNullable<DeviceSearch['label']> {
  /** 1 for each label set in memory, by number, that has the label. */
  readonly sets: Uint8Array
}

/** A device of a page, with its number. */
export interface ListedRow extends ListedDevice {
  readonly device: number
}

export interface ListedPage extends DevicePage {
  readonly rows: readonly ListedRow[]
}

/** An entry of the index of device ids. */
export type IndexedDevice = readonly [device: number, deviceId: string]

/** The data of a device that is only in the store. */
export interface StoredDevice {
  readonly deviceId: string
  readonly labels: LabelMap
  /** Unix time in milliseconds. */
  readonly firstSeen: number
}

/** The queries of a list to the store. All of them see one snapshot while a page is read. */
export interface DeviceListSource {
  /** The highest number of a stored device, 0 for none. Lower ones are stored or deleted. */
  highest(): number
  /** How often the number of a deleted device was reused. */
  reused(): number
  /** Profiles with higher numbers, ascending. */
  profilesAbove(id: number): NumberedProfile[]
  stored(device: number): StoredDevice | undefined
  /** Tells which waiting devices are silent at `now` (Unix ms), by the hour of their cell. */
  silence(now: number): (hour: number) => boolean
  /** Devices with higher numbers than `above` whose ids begin with `prefix`, in either case. */
  beginningWith(appKey: number, prefix: string, above: number): readonly number[]
  /** Devices of the app with a label; `value` undefined for any. Reads every device. */
  withLabel(appKey: number, key: string, value: string | undefined): readonly number[]
  /**
   * The next devices in the order of their ids, at most `limit`: those that begin with `prefix`, in
   * either case, beyond `from`, if given, upwards or downwards.
   */
  walk(
    appKey: number,
    prefix: string,
    from: string | undefined,
    downwards: boolean,
    limit: number,
  ): readonly IndexedDevice[]
}
