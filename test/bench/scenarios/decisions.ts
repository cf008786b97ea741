import { rawReply } from '../fleet/captured-reply.ts'
import { APP, HALF, NONE } from '../fleet/releases.ts'
import { DEVICES_PER_CALL, type FleetCall, fleetCalls } from '../fleet/requests.ts'
import type { Data } from '../fleet/seeds.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { AIMS } from './aims.ts'
import {
  FLEET_COLUMNS,
  FLEET_CONNECTIONS,
  type FleetRounds,
  fleetRow,
  measureFleetCalls,
  UNPINNED,
} from './fleet-rounds.ts'
import type { Bench } from './scenario.ts'

const CASES = [
  { name: 'dry run, half get an update', channel: HALF.name, dryRun: true },
  { name: 'dry run, all up to date', channel: NONE.name, dryRun: true },
  { name: 'kept, half get an update', channel: HALF.name, dryRun: false },
  { name: 'kept, all up to date', channel: NONE.name, dryRun: false },
]

/** 500-device decisions, as dry runs and with their telemetry committed before the answer. */
export async function decisions(bench: Bench): Promise<Table> {
  const { seeds, tidegate, scale, only } = bench
  const wanted = CASES.filter(({ name }) => name.includes(only))
  const measured = await seeds.lend(scale.manyDevices, async (data: Data) => {
    const server = await tidegate.serve(data.folder)
    const results: (FleetRounds & { aim: number | undefined })[] = []
    for (const { name, channel, dryRun } of wanted) {
      showProgress(`decisions: ${name}`)
      const body = { app: APP, channel, dryRun }
      const call: FleetCall = { path: '/api/v1/fleet/decisions', body }
      await proveOffers(server.port, call, data.key, channel === HALF.name)
      const aim = dryRun ? AIMS.dryRunPerSecond : undefined
      results.push({ ...(await measureFleetCalls(name, call, server, data.key, scale)), aim })
    }
    await server.stop()
    return results
  })
  return {
    title: `Decisions: 500 devices a call, ${FLEET_CONNECTIONS} connections, ${scale.manyDevices} known devices, medians`,
    columns: FLEET_COLUMNS,
    rows: measured.map(({ aim, ...rounds }) => fleetRow(rounds, aim)),
    notes: UNPINNED,
    details: measured,
  }
}

async function proveOffers(port: number, call: FleetCall, key: string, half: boolean) {
  const dryRun = { ...call, body: { ...call.body, dryRun: true } }
  const [request = Buffer.alloc(0)] = fleetCalls(dryRun, key, DEVICES_PER_CALL)
  const text = (await rawReply(port, request)).toString('utf8')
  const expected = half ? DEVICES_PER_CALL / 2 : 0
  const offered = Number(/"updatesOffered":\s*(\d+)/.exec(text)?.[1])
  if (offered !== expected) {
    throw new Error(`expected ${expected} offers, got ${offered}: ${text.slice(0, 500)}`)
  }
}
