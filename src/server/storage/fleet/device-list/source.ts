import type { LabelMap } from '../../../../shared/names.ts'
import type { NumberedProfile } from '../batch.ts'

/** A device of the index of device ids. */
export type IndexedDevice = readonly [device: number, deviceId: string]

/** What of a device is in the store alone. */
export interface StoredDevice {
  readonly deviceId: string
  readonly labels: LabelMap
  /** Unix time in milliseconds. */
  readonly firstSeen: number
}

/** What a list asks of the store. Everything is as of one moment while a page is put together. */
export interface DeviceListSource {
  /** The highest number of a device that is stored, 0 without any. Lower ones are stored, or gone. */
  highest(): number
  /** How often the number of a deleted device was reused. */
  reused(): number
  /** Profiles with higher numbers, ascending. */
  profilesAbove(id: number): NumberedProfile[]
  stored(device: number): StoredDevice | undefined
  /** Devices with higher numbers than `above` whose ids begin with `prefix`. */
  beginningWith(appKey: number, prefix: string, above: number): readonly number[]
  /** Devices of the app with a label; `value` undefined for any. Looks at every device. */
  withLabel(appKey: number, key: string, value: string | undefined): readonly number[]
  /**
   * The next devices in the order of their ids, at most `limit`: those that begin with `prefix`
   * beyond `from`, if given, upwards or downwards.
   */
  walk(
    appKey: number,
    prefix: string,
    from: string | undefined,
    downwards: boolean,
    limit: number,
  ): readonly IndexedDevice[]
}
