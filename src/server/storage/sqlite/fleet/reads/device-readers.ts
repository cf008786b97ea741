import type { Connection } from '../../database.ts'
import { DeviceList } from '../device-list/device-list.ts'
import type { DeviceListQuery, ListedPage } from '../device-list/query.ts'
import { DeviceHistoryReads } from './device-history.ts'
import { SqliteDeviceListSource } from './device-list-source.ts'
import { createDeviceSearch } from './device-search.ts'

/** The queries of the device screens on the reader thread. */
export function createDeviceReaders(database: Connection) {
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
