import { type Conditions, type DeviceColumns, isListed } from './matching.ts'
import { type Entry, Nearest } from './nearest.ts'

/** Devices of a sample. */
const SAMPLE = 4_000

export interface Selection {
  readonly conditions: Conditions
  /** The highest number to check. */
  readonly highest: number
  /** The sort key of the list. */
  keyOf(device: number): number
  readonly descending: boolean
  /** Where the previous page ended, or the next page began. */
  readonly cursor: Entry | undefined
  readonly backward: boolean
  readonly limit: number
}

export interface Selected {
  /** In the order of the list, in whichever direction it was read. */
  readonly entries: readonly Entry[]
  readonly total: number
  /** Matching devices before the first entry, and after the last. */
  readonly before: number
  readonly after: number
}

/**
 * Finds a page of devices in one pass over all of them. Keeps at most `limit` entries. A sample gives a key
 * beyond which devices are skipped, so the order of the devices does not affect the cost.
 */
export function select(devices: DeviceColumns, selection: Selection): Selected {
  const { conditions, highest, cursor, backward, limit } = selection
  const descending = selection.descending !== backward
  const bound = boundOf(devices, selection, descending)
  const nearest = new Nearest(limit, descending)
  let total = 0
  let passed = 0
  for (let device = 1; device <= highest; device++) {
    if (!isListed(devices, device, conditions)) continue
    total++
    const key = selection.keyOf(device)
    if (cursor !== undefined && !isBeyond(cursor, key, device, descending)) passed++
    else if (descending ? key >= bound : key <= bound) nearest.offer(key, device)
  }
  const entries = nearest.inOrder()
  const rest = total - passed - entries.length
  return backward
    ? { entries: entries.reverse(), total, before: rest, after: passed }
    : { entries, total, before: passed, after: rest }
}

/** A key beyond which no entry of the page can be: the key of the last entry of a page of a sample. */
function boundOf(
  devices: DeviceColumns,
  { conditions, highest, keyOf, cursor, limit }: Selection,
  descending: boolean,
): number {
  const none = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const step = Math.floor(highest / SAMPLE)
  // If the sample is nearly all devices, a device that is seen again meanwhile would be missing from the page.
  if (step < 4) return none
  const nearest = new Nearest(limit, descending)
  for (let device = 1; device <= highest; device += step) {
    if (!isListed(devices, device, conditions)) continue
    const key = keyOf(device)
    if (cursor !== undefined && !isBeyond(cursor, key, device, descending)) continue
    nearest.offer(key, device)
  }
  return nearest.inOrder()[limit - 1]?.key ?? none
}

function isBeyond(cursor: Entry, key: number, device: number, descending: boolean): boolean {
  const distance = key === cursor.key ? device - cursor.device : key - cursor.key
  return descending ? distance < 0 : distance > 0
}
