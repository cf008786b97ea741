import {
  DEVICES_PER_PAGE,
  type DeviceFilterInput,
  type DeviceListInput,
  type DeviceListItem,
  type DeviceListPage,
  type DeviceSort,
  type HealthFilter,
} from '../../../shared/console/devices.ts'
import { canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import { FAILURES, HEALTH_STATES, type HealthState } from '../../../shared/health/health.ts'
import { DEVICE_ID, LabelKey } from '../../../shared/names.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import { requireChannel, requireRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { CatalogApp, Snapshot } from '../../catalog/snapshot.ts'
import { compareRunning } from '../../fleet/charts/summary.ts'
import type {
  DeviceCursor,
  DeviceFilter,
  DeviceHealthFilter,
  DeviceSearch,
  ListedDevice,
} from '../../fleet/device-query.ts'
import { seenSince } from '../../fleet/time.ts'
import { findApp } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'

/** Greater than every device id. */
const ABOVE_ALL = '\x7f'

/** Returns which devices an input means, as of now. Throws the refusals `unknown`. */
export async function deviceFilter(
  { catalog, principal }: Pick<ConsoleContext, 'catalog' | 'principal'>,
  input: DeviceFilterInput,
): Promise<{ readonly snapshot: Snapshot; readonly now: number; readonly filter: DeviceFilter }> {
  const snapshot = await catalog.refresh()
  const app = findApp(snapshot, principal, input.app, 'viewer')
  const appChannels = [...app.channels.values()].map(({ record }) => record.key)
  const { channel, platform, arch, search = '' } = input
  const now = catalog.now()
  const filter = {
    appKey: app.record.key,
    appChannels,
    channels: channel === undefined ? appChannels : [requireChannel(app, channel).record.key],
    version: input.version,
    platform: platform && canonicalPlatform(platform),
    arch: arch && canonicalArch(arch),
    seenSince: input.seen === 'any' ? 0 : seenSince(input.seen, now),
    search: searchOf(search.trim()),
    health: input.health && healthOf(app, input.health, now),
  }
  return { snapshot, now, filter }
}

/** Returns a page of an app's devices. Throws the refusals `unknown` and, for a wrong cursor, `invalid`. */
export async function deviceListPage(
  ctx: ConsoleContext,
  input: DeviceListInput,
): Promise<DeviceListPage> {
  const { snapshot, now, filter } = await deviceFilter(ctx, input)
  const found = await ctx.fleet.devices({
    ...filter,
    sort: input.sort,
    descending: input.order === 'desc',
    cursor: input.cursor === undefined ? undefined : readCursor(input.cursor, input.sort),
    backward: input.direction === 'previous',
    limit: DEVICES_PER_PAGE,
  })
  return {
    devices: found.rows.map((row) => showListed(snapshot, row)),
    total: found.total,
    known: found.known,
    offset: found.offset ?? null,
    previous: found.previous === undefined ? null : writeCursor(found.previous),
    next: found.next === undefined ? null : writeCursor(found.next),
    asOf: new Date(now).toISOString(),
    choices: {
      versions: found.versions.toSorted((a, b) => compareRunning(b, a)),
      platforms: [...new Set(found.platforms.map(canonicalPlatform))],
      arches: [...new Set(found.arches.map(canonicalArch))],
    },
  }
}

/** Returns the name of a channel, null if it was removed in the meantime. */
export function channelName(snapshot: Snapshot, channelKey: number): string | null {
  return snapshot.channelByKey.get(channelKey)?.record.name ?? null
}

function showListed(snapshot: Snapshot, row: ListedDevice): DeviceListItem {
  const { channelKey, version, platform, arch } = row.profile
  return {
    deviceId: row.deviceId,
    channel: channelName(snapshot, channelKey),
    ...{ version, platform, arch },
    firstSeen: new Date(row.firstSeen).toISOString(),
    lastSeen: new Date(row.lastSeen).toISOString(),
    labels: { ...row.labels },
  }
}

function healthOf(
  app: CatalogApp,
  { channel: name, version, state }: NonNullable<DeviceFilterInput['health']>,
  now: number,
): DeviceHealthFilter {
  const { facts } = requireRelease(requireChannel(app, name), version)
  return { releaseId: facts.id, states: statesOf(state), now }
}

function statesOf(filter: HealthFilter): readonly HealthState[] {
  if (filter === 'offered') return HEALTH_STATES
  return filter === 'failed' ? FAILURES : [filter]
}

/** A device id may have `=` in it too: such a text is looked for as both. */
function searchOf(text: string): DeviceSearch | undefined {
  if (text === '') return undefined
  // Nothing else is the beginning of a device id; above it is nothing.
  const prefix = DEVICE_ID.test(text) ? text : ABOVE_ALL
  const mark = text.indexOf('=')
  const key = text.slice(0, Math.max(0, mark))
  if (!LabelKey.safeParse(key).success) return { prefix, label: undefined }
  const value = text.slice(mark + 1) || undefined
  return { prefix, label: { key, value } }
}

/** Returns a cursor as text: the device's number, how many are before it if that is known, and what the list is sorted by. */
function writeCursor({ device, before, key }: DeviceCursor): string {
  return `${device}${before === undefined ? '' : `+${before}`}.${key}`
}

/** Reads a cursor of a list with that order. Throws the refusal `invalid`. */
function readCursor(text: string, sort: DeviceSort): DeviceCursor {
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
