import { type Conditions, type DeviceColumns, isListed } from './matching.ts'
import { type Entry, Nearest } from './nearest.ts'

export interface Selection {
  readonly conditions: Conditions
  /** The highest number that is looked at. */
  readonly highest: number
  /** What the list is sorted by. */
  keyOf(device: number): number
  readonly descending: boolean
  /** Where the page before ended, or the page after began. */
  readonly cursor: Entry | undefined
  readonly backward: boolean
  readonly limit: number
}

export interface Selected {
  /** In the order of the list, whichever way it was read. */
  readonly entries: readonly Entry[]
  readonly total: number
  /** Matching devices before the first entry, and after the last. */
  readonly before: number
  readonly after: number
}

/** Finds a page of devices in one pass over all of them. Changes nothing and keeps `limit` in mind. */
export function select(devices: DeviceColumns, selection: Selection): Selected {
  const { conditions, highest, cursor, backward, limit } = selection
  const descending = selection.descending !== backward
  const nearest = new Nearest(limit, descending)
  let total = 0
  let passed = 0
  // Later devices tend to have later keys: in this direction most of them are no news to the heap.
  const step = descending ? -1 : 1
  for (let device = descending ? highest : 1; device > 0 && device <= highest; device += step) {
    if (!isListed(devices, device, conditions)) continue
    total++
    const key = selection.keyOf(device)
    if (cursor !== undefined && !isBeyond(cursor, key, device, descending)) passed++
    else nearest.offer(key, device)
  }
  const entries = nearest.inOrder()
  const rest = total - passed - entries.length
  return backward
    ? { entries: entries.reverse(), total, before: rest, after: passed }
    : { entries, total, before: passed, after: rest }
}

function isBeyond(cursor: Entry, key: number, device: number, descending: boolean): boolean {
  const distance = key === cursor.key ? device - cursor.device : key - cursor.key
  return descending ? distance < 0 : distance > 0
}
