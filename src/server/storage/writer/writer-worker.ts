import { parentPort, workerData } from 'node:worker_threads'
import { packFailure } from '../threads/thread-failure.ts'
import type { Answer } from '../threads/worker-client.ts'
import { WriterConnection } from './writer-connection.ts'
import type { WriterRequest } from './writer-thread.ts'

const port = parentPort
if (port === null) throw new Error('writer-worker.ts runs as a worker thread only')
const file = String(workerData)
let connection: WriterConnection | undefined

port.on('message', async (request: WriterRequest) => {
  const { id } = request
  try {
    port.postMessage({ id, ok: true, value: await answer(request) } satisfies Answer<unknown>)
  } catch (error) {
    port.postMessage({ id, ok: false, failure: packFailure(error, file) } satisfies Answer<unknown>)
  }
  if (request.type === 'close') port.close()
})

function answer(request: WriterRequest): Promise<unknown> {
  // Opened here, so that the caller gets the error if it cannot be opened.
  connection ??= new WriterConnection(file, { checkpoint: 'elsewhere' })
  switch (request.type) {
    case 'begin':
      return connection.begin(request.within)
    case 'call':
      return Reflect.apply(connection.call, connection, [request.area, request.name, request.args])
    case 'offerFirst':
      return connection.offerFirst(request.releaseId, request.seenRevision)
    case 'setUsed':
      return connection.setUsed(request.uses)
    case 'setSessionsUsed':
      return connection.setSessionsUsed(request.uses)
    case 'commit':
      return connection.commit()
    case 'rollback':
      return connection.rollback()
    case 'close':
      return connection.close()
    default:
      return request satisfies never
  }
}
