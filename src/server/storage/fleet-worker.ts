import { parentPort, workerData } from 'node:worker_threads'
import type { TelemetryBatch } from '../fleet/store.ts'
import { checkpointIfLarge } from './checkpoint.ts'
import { openDatabase } from './database.ts'
import { FleetWriter } from './fleet-writer.ts'

/** What the store asks of its writer thread. */
export type WriterRequest =
  | { readonly id: number; readonly type: 'commit'; readonly batch: TelemetryBatch }
  | {
      readonly id: number
      readonly type: 'deleteCheckIns'
      readonly before: number
      readonly now: number
      readonly limit: number
    }
  | { readonly id: number; readonly type: 'close' }

export type WriterAnswer =
  | { readonly id: number; readonly ok: true; readonly value: number }
  | { readonly id: number; readonly ok: false; readonly message: string }

/** Random rows of a large fleet touch many pages: a larger cache than elsewhere. */
const CACHE_KIB = 65_536

const port = parentPort
if (port === null) throw new Error('fleet-worker.ts runs as a worker thread only')
const database = openDatabase(String(workerData), {
  checkpoint: 'elsewhere',
  cacheKiB: CACHE_KIB,
})
const writer = new FleetWriter(database)

port.on('message', (request: WriterRequest) => {
  try {
    port.postMessage({ id: request.id, ok: true, value: answer(request) } satisfies WriterAnswer)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    port.postMessage({ id: request.id, ok: false, message } satisfies WriterAnswer)
  }
  if (request.type === 'close') port.close()
  else checkpointIfLarge(database)
})

function answer(request: WriterRequest): number {
  switch (request.type) {
    case 'commit':
      return writer.commit(request.batch)
    case 'deleteCheckIns':
      return writer.deleteCheckIns(request.before, request.now, request.limit)
    case 'close':
      database.close()
      return 0
    default:
      return request satisfies never
  }
}
