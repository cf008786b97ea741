import { type ChartRange, spanOf } from '../../../src/server/fleet/charts/charts.ts'
import type { DeviceQuery } from '../../../src/server/fleet/device-query.ts'
import { dayOf } from '../../../src/server/fleet/time.ts'
import type { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { PostgresDeviceList } from '../../../src/server/storage/postgres/fleet/list/device-list.ts'
import { fleetReads } from '../../../src/server/storage/postgres/fleet/reads/fleet-reads.ts'
import { summarize } from '../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import { AIMS } from '../scenarios/aims.ts'
import type { Figure } from '../scenarios/figures.ts'

const RANGES: readonly ChartRange[] = ['24h', '7d', '30d', '90d']

const FIRST_PAGE: DeviceQuery = {
  ...{ appKey: 1, appChannels: [1], channels: [1], seenSince: 0, search: undefined },
  ...{ version: undefined, platform: undefined, arch: undefined },
  ...{ sort: 'lastSeen', descending: true, cursor: undefined, backward: false, limit: 50 },
}

/** Measures charts and the first pages of the device list, one at a time; the first of each is not counted. */
export async function readsOf(database: PostgresDatabase, rounds: number): Promise<Figure[]> {
  const now = Date.now()
  const reads = fleetReads(database)
  const list = new PostgresDeviceList(database)
  const place = { appKey: 1, app: 'a', channel: null, today: dayOf(now) }
  // As the leading node does every now and then.
  await summarize(database, now)
  const figures: Figure[] = []
  for (const range of RANGES) {
    const query = { ...place, span: spanOf(range, now), marksFrom: new Date(now).toISOString() }
    const values = await timesOf(rounds, () => reads.charts(query))
    figures.push({ what: `charts of ${range}`, unit: 'ms', values, aim: AIMS.nodesChartMs })
  }
  for (const sort of ['lastSeen', 'deviceId', 'version'] as const) {
    const values = await timesOf(rounds, () => list.devices({ ...FIRST_PAGE, sort }))
    figures.push({ what: `devices by ${sort}`, unit: 'ms', values, aim: AIMS.nodesDeviceListMs })
  }
  return figures
}

async function timesOf(rounds: number, read: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round <= rounds * 4; round++) {
    const began = performance.now()
    await read()
    times.push(performance.now() - began)
  }
  return times.slice(1)
}
