import type { DeviceSort } from '../../../src/server/fleet/device-query.ts'
import { DeviceTable } from '../../../src/server/storage/shared/memory/device-table.ts'
import { LabelSets, UNKNOWN_SET } from '../../../src/server/storage/shared/memory/label-sets.ts'
import type { Connection } from '../../../src/server/storage/sqlite/database.ts'
import { DeviceList } from '../../../src/server/storage/sqlite/fleet/device-list/device-list.ts'
import type {
  DeviceListQuery,
  ListedRow,
} from '../../../src/server/storage/sqlite/fleet/device-list/query.ts'
import { createDeviceListSource } from '../../../src/server/storage/sqlite/fleet/reads/device-list-source.ts'
import type { LabelMap } from '../../../src/shared/names.ts'
import { connect } from '../servers/database.ts'
import { makeFleetFile } from './fleet-file.ts'

/** What devices of the tests run: two channels of one app, and one channel of another. */
export const PROFILES = [
  { channel: 'stable', version: '1.9.0', platform: 'darwin', arch: 'aarch64' },
  { channel: 'stable', version: '1.10.0', platform: 'macos', arch: 'arm64' },
  { channel: 'stable', version: '1.10.0-rc.1', platform: 'linux', arch: 'x86_64' },
  { channel: 'beta', version: '1.10.0', platform: 'windows', arch: 'x64' },
  { channel: 'other', version: '1.9.0', platform: 'linux', arch: 'x86_64' },
] as const

export interface ListedDevice {
  readonly deviceId: string
  /** Place in `PROFILES`. */
  readonly profile: number
  readonly lastSeen: number
  readonly labels: LabelMap
  /** Its label set found no room in memory. */
  readonly unknownSet: boolean
  /** It was removed. */
  readonly gone: boolean
}

/** A database, and lists of the devices that are put into it. */
export interface ListFile {
  readonly appKey: number
  channelKey(name: string): number
  /** Puts these devices in place of all before, numbered from 1. */
  fill(devices: readonly ListedDevice[], few: number): ListOfDevices
}

export interface ListOfDevices {
  readonly list: DeviceList
  readonly table: DeviceTable
  readonly labelSets: LabelSets
}

/** Makes a database of its own for lists. */
export async function makeListFile(): Promise<ListFile> {
  const { file, editor, player, stable, beta, playerStable } = await makeFleetFile()
  const keys: Readonly<Record<string, number>> = { stable, beta, other: playerStable }
  const database = connect(file)
  const channelKey = (name: string) => keys[name] ?? 0
  const profile = database.prepare(
    'INSERT INTO profiles (id, channel_key, version, platform, arch) VALUES (?, ?, ?, ?, ?)',
  )
  for (const [at, { channel, version, platform, arch }] of PROFILES.entries()) {
    profile.run(at + 1, channelKey(channel), version, platform, arch)
  }
  const appOf = (device: ListedDevice) =>
    PROFILES[device.profile]?.channel === 'other' ? player : editor
  return {
    appKey: editor,
    channelKey,
    fill: (devices, few) => fill(database, devices, appOf, few),
  }
}

/** Unix milliseconds, not in the order of numbers: a number may have been given out again. */
export function firstSeenOf(device: number): number {
  return (device ^ 1) * 1_000
}

function fill(
  database: Connection,
  devices: readonly ListedDevice[],
  appOf: (device: ListedDevice) => number,
  few: number,
): ListOfDevices {
  const table = new DeviceTable()
  const labelSets = new LabelSets()
  const insert = database.prepare(
    'INSERT INTO devices (id, app_key, device_id, labels, first_seen) VALUES (?, ?, ?, ?, ?)',
  )
  database.transaction(() => {
    database.exec('DELETE FROM devices')
    for (const [at, device] of devices.entries()) {
      if (device.gone) continue
      const labels = JSON.stringify(device.labels)
      const firstSeen = firstSeenOf(at + 1)
      insert.run(at + 1, appOf(device), device.deviceId, labels, firstSeen)
      table.setFirstSeen(at + 1, firstSeen)
      table.load(at + 1, device.profile + 1, device.lastSeen)
      const set = device.unknownSet ? UNKNOWN_SET : labelSets.numberOfText(labels)
      table.setLabelSet(at + 1, set)
    }
  })()
  return { list: new DeviceList(createDeviceListSource(database), few), table, labelSets }
}

/** What a test asks for; the rest of the question is the same for all. */
export interface Asked {
  readonly channel?: string | undefined
  readonly version?: string | undefined
  /** Canonical. */
  readonly platform?: string | undefined
  readonly seenSince: number
  readonly prefix?: string | undefined
  readonly label?: { readonly key: string; readonly value: string | undefined } | undefined
  readonly sort: DeviceSort
  readonly descending: boolean
  readonly limit: number
}

/** The first page's question; `cursor` and `backward` are added for others. */
export function queryOf(
  { appKey, channelKey }: ListFile,
  { table, labelSets }: ListOfDevices,
  asked: Asked,
): DeviceListQuery {
  const { channel, version, platform, seenSince, prefix, label, sort, descending, limit } = asked
  const appChannels = [channelKey('stable'), channelKey('beta')]
  const sets = label && { ...label, sets: labelSets.having(label.key, label.value) }
  return {
    chunks: table.share(),
    appKey,
    appChannels,
    channels: channel === undefined ? appChannels : [channelKey(channel)],
    ...{ version, platform, arch: undefined, seenSince, sort, descending, limit },
    search: prefix === undefined ? undefined : { prefix, label: sets },
    cursor: undefined,
    backward: false,
  }
}

/** Every page from the first to the last, and then back to the first. */
export function pageThrough(list: DeviceList, query: DeviceListQuery) {
  const forward: (readonly ListedRow[])[] = []
  const backward: (readonly ListedRow[])[] = []
  let page = list.page(query)
  forward.push(page.rows)
  while (page.next !== undefined) {
    page = list.page({ ...query, cursor: page.next })
    forward.push(page.rows)
    if (forward.length > 1_000) throw new Error('the pages have no end')
  }
  backward.push(page.rows)
  while (page.previous !== undefined) {
    page = list.page({ ...query, cursor: page.previous, backward: true })
    backward.push(page.rows)
    if (backward.length > 1_000) throw new Error('the pages have no beginning')
  }
  return { forward, backward }
}
