import { APP } from '../fleet/releases.ts'
import type { FleetCall } from '../fleet/requests.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { AIMS } from './aims.ts'
import {
  FLEET_COLUMNS,
  FLEET_CONNECTIONS,
  fleetRow,
  measureFleetCalls,
  UNPINNED,
} from './fleet-rounds.ts'
import type { Bench } from './scenario.ts'

/** Reports on known devices. */
export const REPORT: FleetCall = { path: '/api/v1/fleet/report', body: { app: APP } }

/** 500-device reports on known devices, acknowledged after commit. */
export async function reports({ seeds, tidegate, scale }: Bench): Promise<Table> {
  const measured = await seeds.lend(scale.manyDevices, async ({ folder, key }) => {
    showProgress('reports')
    const server = await tidegate.serve(folder)
    const rounds = await measureFleetCalls('report', REPORT, server, key, scale)
    await server.stop()
    return rounds
  })
  return {
    title: `Reports: 500 devices a call, ${FLEET_CONNECTIONS} connections, ${scale.manyDevices} known devices, medians`,
    columns: FLEET_COLUMNS,
    rows: [fleetRow(measured, AIMS.reportedPerSecond)],
    notes: UNPINNED,
    details: [measured],
  }
}
