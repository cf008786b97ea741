import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../../sqlite/database.ts'
import { packFailure } from '../../threads/thread-failure.ts'
import type { Answer } from '../../threads/worker-client.ts'
import type { ReaderRequest } from './reader-thread.ts'
import { createReaders } from './readers.ts'

const port = parentPort
if (port === null) throw new Error('reader-worker.ts runs as a worker thread only')
const readers = createReaders(openDatabase(String(workerData), { readonly: true }))

port.on('message', ({ id, name, args }: ReaderRequest) => {
  try {
    const reader: (...args: never[]) => unknown = readers[name]
    port.postMessage({ id, ok: true, value: reader(...args) } satisfies Answer<unknown>)
  } catch (error) {
    port.postMessage({ id, ok: false, failure: packFailure(error) } satisfies Answer<unknown>)
  }
})
