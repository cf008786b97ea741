import type { z } from 'zod'
import {
  type DeviceFilterInput,
  type DeviceListInput,
  DeviceSort,
  HealthFilter,
  MAX_DEVICE_SEARCH,
  SeenWithin,
  SortOrder,
} from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import { readChoice, readText, writeParams } from '../../components/list/address-filters.ts'
import { readPlace } from '../../paths.ts'

/** What the list shows, as the address of the screen holds it. Empty means all. */
export interface Filters {
  readonly app: string
  readonly channel: string
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly seen: SeenWithin
  readonly search: string
  /** A release as `writePlace` wrote it, of which `health` counts; empty for none. */
  readonly release: string
  readonly health: HealthFilter
  readonly sort: DeviceSort
  readonly order: SortOrder
  /** Where the page begins; empty for the first. */
  readonly cursor: string
  readonly direction: 'next' | 'previous'
}

/** The order in which a column is sorted when it is first chosen. */
export function firstOrder(sort: DeviceSort): SortOrder {
  return sort === 'deviceId' ? 'asc' : 'desc'
}

/** Reads filters from the address; what makes no sense there counts as not given. */
export function readFilters(params: URLSearchParams): Filters {
  const text = (name: string, longest?: number) => readText(params, name, longest)
  const sort = readChoice(params, 'sort', DeviceSort, 'lastSeen')
  return {
    app: text('app'),
    channel: text('channel'),
    version: isVersion(text('version')) ? text('version') : '',
    platform: text('platform'),
    arch: text('arch'),
    seen: readChoice(params, 'seen', SeenWithin, 'any'),
    search: text('search', MAX_DEVICE_SEARCH),
    release: readPlace(text('release')) === undefined ? '' : text('release'),
    health: readChoice(params, 'health', HealthFilter, 'offered'),
    sort,
    order: readChoice(params, 'order', SortOrder, firstOrder(sort)),
    cursor: text('cursor'),
    direction: params.get('direction') === 'previous' ? 'previous' : 'next',
  }
}

function isVersion(text: string): boolean {
  return text === OTHER || readVersion(text).ok
}

/** Writes filters for the address. Defaults are left out. */
export function writeFilters(filters: Filters): URLSearchParams {
  const order = firstOrder(filters.sort)
  return writeParams(filters, {
    seen: 'any',
    health: 'offered',
    sort: 'lastSeen',
    order,
    direction: 'next',
  })
}

/** The devices of `app` that these filters mean, for the server. */
export function filterInput(app: string, filters: Filters): z.input<typeof DeviceFilterInput> {
  const { channel, version, platform, arch, search, seen, health } = filters
  const release = readPlace(filters.release)
  return {
    ...{ app, seen },
    channel: channel || undefined,
    version: version || undefined,
    platform: platform || undefined,
    arch: arch || undefined,
    search: search.trim() || undefined,
    health: release && { ...release, state: health },
  }
}

/** The question to the server for these filters, about `app`. */
export function listInput(app: string, filters: Filters): z.input<typeof DeviceListInput> {
  const { sort, order, cursor, direction } = filters
  return {
    ...filterInput(app, filters),
    cursor: cursor || undefined,
    ...{ sort, order, direction },
  }
}

/** Tells whether devices of the app are left out of the list. */
export function isNarrowed(filters: Filters): boolean {
  const { channel, version, platform, arch, seen, search, release } = filters
  const parts = [channel, version, platform, arch, search, release]
  return seen !== 'any' || parts.some((part) => part !== '')
}

/** The first page of all devices of the same app, in the same order. */
export function withoutFilters({ app, sort, order }: Filters): Filters {
  const none = { channel: '', version: '', platform: '', arch: '', search: '', release: '' }
  const page = { cursor: '', direction: 'next' } as const
  return { app, sort, order, ...none, ...page, seen: 'any', health: 'offered' }
}
