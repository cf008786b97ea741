import { DEVICES_PER_CALL, type FleetCall, fleetCalls, inTurn } from '../fleet/requests.ts'
import { drive, type LoadResult } from '../load/drive.ts'
import { medianOf } from '../output/median.ts'
import type { Cell, Column } from '../output/table.ts'
import type { Listener } from '../process/listener.ts'
import type { Scale } from '../scale.ts'

/** Connections that make fleet calls at the same time. */
export const FLEET_CONNECTIONS = 32

/** The rounds of one kind of fleet call. */
export interface FleetRounds {
  readonly call: string
  readonly rounds: readonly LoadResult[]
}

export const FLEET_COLUMNS: readonly Column[] = [
  { name: 'call' },
  { name: 'devices/s' },
  { name: 'of aim', decimals: 2 },
  { name: 'calls/s' },
  { name: 'p50 ms', decimals: 2 },
  { name: 'p99 ms', decimals: 2 },
  { name: 'reply bytes' },
  { name: 'srv CPU', percent: true },
  { name: 'main', percent: true },
  { name: 'client', percent: true },
  { name: 'others', percent: true },
]

/** Calls with 500 devices over the entire pool: a warm-up, then rounds. */
export async function measureFleetCalls(
  name: string,
  call: FleetCall,
  server: Listener,
  key: string,
  { manyDevices, warmUpMs, leadInMs, measureMs, rounds: count }: Scale,
): Promise<FleetRounds> {
  const { port, pid } = server
  const next = inTurn(fleetCalls(call, key, manyDevices))
  const load = { port, pid, next, expect: 200, connections: FLEET_CONNECTIONS }
  await drive({ ...load, window: { leadInMs: 0, measureMs: warmUpMs } })
  const rounds: LoadResult[] = []
  for (let i = 0; i < count; i += 1) {
    rounds.push(await drive({ ...load, window: { leadInMs, measureMs } }))
  }
  return { call: name, rounds }
}

/** The medians of the rounds. Only devices of calls that were answered count. */
export function fleetRow({ call, rounds }: FleetRounds, aim?: number): Record<string, Cell> {
  const calls = medianOf(rounds, (round) => round.perSecond)
  const devices = calls * DEVICES_PER_CALL
  return {
    call,
    'devices/s': devices,
    'of aim': aim === undefined ? undefined : devices / aim,
    'calls/s': calls,
    'p50 ms': medianOf(rounds, (round) => round.p50),
    'p99 ms': medianOf(rounds, (round) => round.p99),
    'reply bytes': medianOf(rounds, (round) => round.replyBytes),
    'srv CPU': medianOf(rounds, (round) => round.serverCpu),
    main: medianOf(rounds, (round) => round.serverMainCpu),
    client: medianOf(rounds, (round) => round.clientCpu),
    others: medianOf(rounds, (round) => round.othersCpu),
  }
}

/** A note for readers of a table of fleet calls. */
export const UNPINNED = [
  'Server and client share all cores. CPU figures are shares of one core; others: what other',
  'processes took, above some 10 % the run was disturbed.',
]
