import type { DeviceCursor } from '../../../../fleet/device-query.ts'
import type { DeviceListSource } from '../reads/device-list-source.ts'
import { type Conditions, countMatches, type DeviceColumns, isListed } from './matching.ts'
import type { DeviceListQuery, IndexedDevice } from './query.ts'

/** Entries of the index read at once. */
const SLICE = 2_000

/** A page of the list, before its rows are read. */
export interface ListPage {
  readonly entries: readonly DeviceCursor[]
  readonly total: number
  /** Matching devices before the first entry; undefined if they were not counted. */
  readonly before: number | undefined
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

/**
 * Returns a page in the order of device ids. Walks the index of the store and tests each device. If at most
 * `few` match, looks those up and sorts them instead, because the walk could go over all devices.
 */
export function pageById(
  source: DeviceListSource,
  devices: DeviceColumns,
  highest: number,
  conditions: Conditions,
  query: DeviceListQuery,
  few: number,
): ListPage {
  const { total, matches } = countMatches(devices, highest, conditions, few)
  if (total <= few) return pageOfFew(source, matches, query)
  const { cursor, backward, limit } = query
  const found = walk(source, devices, highest, conditions, query)
  const isMore = found.length > limit
  const entries = found.slice(0, limit).map(([device, key]) => ({ device, key }))
  if (backward) entries.reverse()
  return {
    entries,
    total,
    before: cursor === undefined ? 0 : undefined,
    hasPrevious: backward ? isMore : cursor !== undefined,
    hasNext: backward ? cursor !== undefined : isMore,
  }
}

/** Matching devices beyond the cursor, at most one more than a page. */
function walk(
  source: DeviceListSource,
  devices: DeviceColumns,
  highest: number,
  conditions: Conditions,
  { appKey, search, cursor, descending, backward, limit }: DeviceListQuery,
): IndexedDevice[] {
  // Devices with any id can have the label.
  const prefix = search?.label === undefined ? (search?.prefix ?? '') : ''
  const downwards = descending !== backward
  const found: IndexedDevice[] = []
  let from = cursor === undefined ? undefined : String(cursor.key)
  for (;;) {
    const slice = source.walk(appKey, prefix, from, downwards, SLICE)
    for (const entry of slice) {
      const [device] = entry
      if (device > highest || !isListed(devices, device, conditions)) continue
      if (found.push(entry) > limit) return found
    }
    if (slice.length < SLICE) return found
    from = slice.at(-1)?.[1]
  }
}

function pageOfFew(
  source: DeviceListSource,
  matches: readonly number[],
  { cursor, descending, backward, limit }: DeviceListQuery,
): ListPage {
  const all = matches.map((device) => ({ device, key: source.stored(device)?.deviceId ?? '' }))
  all.sort((a, b) => (a.key < b.key ? -1 : 1))
  if (descending) all.reverse()
  const isBefore = ({ key }: { key: string }, than: string) =>
    descending ? key > than : key < than
  let start = 0
  if (cursor !== undefined) {
    const at = String(cursor.key)
    const before = all.filter((entry) => isBefore(entry, at)).length
    start = backward ? Math.max(0, before - limit) : before + (all[before]?.key === at ? 1 : 0)
    if (backward) return cut(all, start, before)
  }
  return cut(all, start, start + limit)
}

function cut(all: readonly DeviceCursor[], start: number, end: number): ListPage {
  return {
    entries: all.slice(start, end),
    total: all.length,
    before: start,
    hasPrevious: start > 0,
    hasNext: end < all.length,
  }
}
