import type { DeviceName } from '../../../../fleet/facts.ts'
import { countActiveDevices } from '../../../shared/memory/active-devices.ts'
import type { Connection } from '../../database.ts'
import { prepareAll, type Statement } from '../../statements.ts'
import { createErasureReader } from '../database/erasure.ts'
import { createStateReader } from '../database/load-fleet.ts'
import { DeviceList } from '../device-list/device-list.ts'
import type { DeviceListQuery, ListedPage } from '../device-list/query.ts'
import { createRetentionReaders } from '../removal/stale-devices.ts'
import { createCounterReaders } from './counter-reads.ts'
import { createDeviceListSource, type DeviceListSource } from './device-list-source.ts'
import { createChartReaders } from './fleet-charts.ts'
import { createHealthReaders } from './health-reads.ts'

const SQL = {
  heads: 'SELECT last_check_in, last_change FROM device_states WHERE device = ?',
  checkIn: `SELECT id, at, profile, kind, previous, (
      SELECT detail FROM outcome_details WHERE release = kind >> 13 AND check_in = id
    ) AS detail FROM check_ins WHERE id = ? AND device = ?`,
  change: 'SELECT id, at, profile, previous FROM profile_changes WHERE id = ? AND device = ?',
} as const

/** A check-in in the log. */
interface ReadCheckIn {
  readonly id: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly profile: number
  /** See `readKind`. */
  readonly kind: number
  /** The device's previous check-in; 0 for none. Its row may have been deleted. */
  readonly previous: number
  /** What its app reported in words; null for nothing. */
  readonly detail: string | null
}

/** When a device changed to a profile. */
interface ReadProfileChange {
  readonly id: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly profile: number
  readonly previous: number
}

interface Link {
  readonly id: number
  readonly previous: number
}

/** Reads a device's history along its chains: a few microseconds per step, however long the log is. */
class DeviceHistoryReads {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>

  constructor(database: Connection) {
    this.#sql = prepareAll(database, SQL)
  }

  /** At most `limit` check-ins from `from` back; fewer if older ones were deleted. */
  checkIns(device: number, from: number, limit: number): ReadCheckIn[] {
    return this.#walk<ReadCheckIn>('checkIn', device, from, limit, 'last_check_in')
  }

  /** At most `limit` profile changes from `from` back. */
  profileChanges(device: number, from: number, limit: number): ReadProfileChange[] {
    return this.#walk<ReadProfileChange>('change', device, from, limit, 'last_change')
  }

  #walk<Row extends Link>(
    name: 'checkIn' | 'change',
    device: number,
    from: number,
    limit: number,
    head: 'last_check_in' | 'last_change',
  ): Row[] {
    const rows: Row[] = []
    const read = (id: number) => this.#sql[name].get(id, device) as Row | undefined
    let row = read(from) ?? read(this.#storedHead(device, head, from))
    while (row !== undefined && rows.length < limit) {
      rows.push(row)
      row = row.previous === 0 ? undefined : read(row.previous)
    }
    return rows
  }

  /** Returns the newest link in the device's row if `from` is not written yet; never a newer one. */
  #storedHead(device: number, head: 'last_check_in' | 'last_change', from: number): number {
    const heads = this.#sql.heads.get(device) as
      | { last_check_in: number; last_change: number }
      | undefined
    const stored = heads?.[head] ?? 0
    return stored < from ? stored : 0
  }
}

/**
 * The readers of the reader thread, by name. Arguments and results of a reader are what structured clone can
 * copy (a `SharedArrayBuffer` is shared), and leaves no read open behind it.
 */
export function createReaders(database: Connection) {
  return {
    ...createCounterReaders(database),
    ...createDeviceReaders(database),
    ...createChartReaders(database),
    ...createHealthReaders(database),
    ...createRetentionReaders(database),
    ...createStateReader(database),
    activeDevices: countActiveDevices,
    pendingErasures: createErasureReader(database),
  } satisfies Record<string, (...args: never[]) => unknown>
}

export type Readers = ReturnType<typeof createReaders>

/** The queries of the device screens on the reader thread. */
function createDeviceReaders(database: Connection) {
  const source = createDeviceListSource(database)
  const list = new DeviceList(source)
  const history = new DeviceHistoryReads(database)
  // One snapshot of all tables, although batches may be committed meanwhile.
  const inOneView = <T>(read: () => T): T => database.transaction(read)()
  return {
    deviceList: (query: DeviceListQuery): ListedPage => inOneView(() => list.page(query)),
    deviceCheckIns: (device: number, from: number, limit: number) =>
      inOneView(() => history.checkIns(device, from, limit)),
    deviceChanges: (device: number, from: number, limit: number) =>
      inOneView(() => history.profileChanges(device, from, limit)),
    devicesBeginning: createDeviceSearch(source),
    storedDevice: (device: number) => source.stored(device),
  }
}

/**
 * Returns the reader of `DeviceViews.devicesBeginning`. It searches the index of device ids app by app until it
 * has enough.
 */
function createDeviceSearch(source: Pick<DeviceListSource, 'walk'>) {
  return (appKeys: readonly number[], prefix: string, limit: number): DeviceName[] => {
    const found: DeviceName[] = []
    for (const appKey of appKeys) {
      const left = limit - found.length
      if (left === 0) break
      const ids = source.walk(appKey, prefix, undefined, false, left)
      found.push(...ids.map(([, deviceId]) => ({ appKey, deviceId })))
    }
    return found
  }
}
