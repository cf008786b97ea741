import type { DeviceName } from '../../../../fleet/facts.ts'
import { countActiveDevices } from '../../../shared/memory/active-devices.ts'
import type { Connection } from '../../database.ts'
import { createErasureReader } from '../database/erasure.ts'
import { DeviceList } from '../device-list/device-list.ts'
import type { DeviceListQuery, ListedPage } from '../device-list/query.ts'
import type { DeviceListSource } from '../device-list/source.ts'
import { findFreed } from '../removal/freed-numbers.ts'
import { findStale, type StaleQuery, type StoredOrigin } from '../removal/stale-devices.ts'
import { createCounterReaders } from './counter-reads.ts'
import { DeviceHistoryReads } from './device-history.ts'
import { SqliteDeviceListSource } from './device-list-source.ts'
import { createChartReaders } from './fleet-charts.ts'
import { createHealthReaders } from './health-reads.ts'

const ORIGIN = 'SELECT app_key, device_id, first_seen, keyed FROM devices WHERE id = ?'

const OLDEST = `SELECT coalesce(
  (SELECT min(id) FROM check_ins), (SELECT last_check_in + 1 FROM telemetry_state))`

/** Reads the number of the oldest check-in of the log, or of the next one if there is none. */
function createOldestReader(database: Connection): () => number {
  const oldest = database.prepare<[], number>(OLDEST).pluck()
  return () => oldest.get() ?? 0
}

/** Reads where a device came from; undefined if it is not stored. */
function createOriginReader(database: Connection): (device: number) => StoredOrigin | undefined {
  const origin = database.prepare<[number], [number, string, number, 0 | 1]>(ORIGIN).raw()
  return (device) => {
    const row = origin.get(device)
    if (row === undefined) return undefined
    const [appKey, deviceId, firstSeen, keyed] = row
    return { appKey, deviceId, firstSeen, keyed: keyed === 1 }
  }
}

/**
 * The readers of the reader thread, by name. Arguments and results of a reader are what structured clone can
 * copy (a `SharedArrayBuffer` is shared), and leaves no read open behind it.
 */
export function createReaders(database: Connection) {
  const origin = createOriginReader(database)
  const oldestCheckIn = createOldestReader(database)
  return {
    ...createCounterReaders(database),
    ...createDeviceReaders(database),
    ...createChartReaders(database),
    ...createHealthReaders(database),
    activeDevices: countActiveDevices,
    freedDevices: (chunks: readonly SharedArrayBuffer[]) => findFreed(chunks, oldestCheckIn()),
    pendingErasures: createErasureReader(database),
    staleDevices: (query: StaleQuery) => findStale(query, origin),
  } satisfies Record<string, (...args: never[]) => unknown>
}

export type Readers = ReturnType<typeof createReaders>

/** The queries of the device screens on the reader thread. */
function createDeviceReaders(database: Connection) {
  const source = new SqliteDeviceListSource(database)
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
