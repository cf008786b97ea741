import { parentPort, workerData } from 'node:worker_threads'
import type { CatalogRemoval } from '../../../catalog/store.ts'
import { REMOVAL_OUTCOMES, remove, removeDevices } from '../../catalog/removal.ts'
import { checkpointIfLarge } from '../../sqlite/checkpoint.ts'
import type { Connection } from '../../sqlite/database.ts'
import { ReopenedConnection } from '../../sqlite/reopened-connection.ts'
import { packFailure } from '../../threads/thread-failure.ts'
import type { Answer } from '../../threads/worker-client.ts'
import type { LogSweep, TelemetryBatch } from '../batch.ts'
import { FleetWriter } from './fleet-writer.ts'

/** The store's requests to its writer thread. */
export type WriterRequest =
  | { readonly type: 'commit' | 'salvage'; readonly batch: TelemetryBatch }
  | {
      readonly type: 'deleteCheckIns'
      readonly before: number
      readonly now: number
      readonly limit: number
    }
  | {
      readonly type: 'sweepCheckIns'
      readonly sweep: LogSweep
      readonly before: number
      readonly now: number
      readonly limit: number
    }
  | {
      readonly type: 'deleteHourlyAdoption'
      readonly before: number
      readonly after: number
      readonly limit: number
    }
  | {
      readonly type: 'remove'
      readonly removal: CatalogRemoval
      readonly devices: Int32Array
    }
  | { readonly type: 'removeDevices'; readonly devices: Int32Array }
  | { readonly type: 'sampleHealth'; readonly now: number }
  | { readonly type: 'close' }

/** A request as it is sent to the thread. */
type NumberedRequest = WriterRequest & { readonly id: number }

/** The results: the request determines which of the two. */
export type WriterValue = number | LogSweep

/** Random rows of a large fleet touch many pages: a larger cache than elsewhere. */
const CACHE_KIB = 65_536

const port = parentPort
if (port === null) throw new Error('fleet-worker.ts runs as a worker thread only')
const connection = new ReopenedConnection(String(workerData), {
  checkpoint: 'elsewhere',
  cacheKiB: CACHE_KIB,
})
/** Prepared for its connection. */
let writer: { readonly database: Connection; readonly fleet: FleetWriter } | undefined

port.on('message', ({ id, ...request }: NumberedRequest) => {
  try {
    port.postMessage({
      id,
      ok: true,
      value: answer(request),
    } satisfies Answer<WriterValue>)
  } catch (error) {
    connection.closeIfStuck(error)
    port.postMessage({
      id,
      ok: false,
      failure: packFailure(error, String(workerData)),
    } satisfies Answer<WriterValue>)
  }
  if (request.type === 'close') port.close()
  else checkpoint()
})

/** If it fails, for example on a full disk, it is retried after the next request. */
function checkpoint(): void {
  if (connection.current === undefined) return
  try {
    checkpointIfLarge(connection.current)
  } catch (error) {
    connection.closeIfStuck(error)
  }
}

function fleetWriter(): FleetWriter {
  const database = connection.get()
  if (writer?.database !== database) writer = { database, fleet: new FleetWriter(database) }
  return writer.fleet
}

function answer(request: WriterRequest): WriterValue {
  switch (request.type) {
    case 'commit':
      return fleetWriter().commit(request.batch)
    case 'salvage':
      return fleetWriter().salvage(request.batch)
    case 'deleteCheckIns':
      return fleetWriter().deleteCheckIns(request.before, request.now, request.limit)
    case 'sweepCheckIns': {
      const { sweep, before, now, limit } = request
      return fleetWriter().sweepCheckIns(sweep, before, now, limit)
    }
    case 'deleteHourlyAdoption':
      return fleetWriter().deleteHourlyAdoption(request.before, request.after, request.limit)
    case 'remove':
      return REMOVAL_OUTCOMES.indexOf(remove(connection.get(), request.removal, request.devices))
    case 'removeDevices':
      removeDevices(connection.get(), request.devices)
      return 0
    case 'sampleHealth':
      fleetWriter().sampleHealth(request.now)
      return 0
    case 'close':
      connection.close()
      return 0
    default:
      return request satisfies never
  }
}
