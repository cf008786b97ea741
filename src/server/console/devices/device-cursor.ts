import type { DeviceSort } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/counting.ts'
import { readVersion } from '../../../shared/version.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { DeviceCursor } from '../../fleet/device-query.ts'

/** Returns a cursor as text: the device's number, how many are before it if that is known, and what the list is sorted by. */
export function writeCursor({ device, before, key }: DeviceCursor): string {
  return `${device}${before === undefined ? '' : `+${before}`}.${key}`
}

/** Reads a cursor of a list with that order. Throws the refusal `invalid`. */
export function readCursor(text: string, sort: DeviceSort): DeviceCursor {
  const [, number = '', before, key = ''] = /^(\d{1,10})(?:\+(\d{1,10}))?\.(.+)$/.exec(text) ?? []
  if (number === '' || !isKey(key, sort)) {
    throw new Refusal({ code: 'foreign_cursor' })
  }
  const isText = sort === 'deviceId' || sort === 'version'
  return {
    ...{ device: Number(number), key: isText ? key : Number(key) },
    before: before === undefined ? undefined : Number(before),
  }
}

function isKey(key: string, sort: DeviceSort): boolean {
  switch (sort) {
    case 'lastSeen':
    case 'firstSeen':
      return /^\d{1,15}$/.test(key)
    case 'version':
      return key === OTHER || readVersion(key).ok
    case 'deviceId':
      return true
  }
}
