import type { LabelMap } from '../../../../../shared/names.ts'
import type {
  DeviceHealthFilter,
  DevicePage,
  DeviceQuery,
  DeviceSearch,
  ListedDevice,
} from '../../../../fleet/device-query.ts'

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
