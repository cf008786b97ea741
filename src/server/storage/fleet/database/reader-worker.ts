import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../../sqlite/database.ts'
import { packFailure } from '../../threads/thread-failure.ts'
import type { Answer } from '../../threads/worker-client.ts'
import type { ReaderRequest } from './reader-thread.ts'
import { createReaders } from './readers.ts'

const port = parentPort
if (port === null) throw new Error('reader-worker.ts runs as a worker thread only')
const file = String(workerData)
let readers: ReturnType<typeof createReaders> | undefined

port.on('message', ({ id, name, args }: ReaderRequest) => {
  try {
    // Opened here, so that the caller gets the error if it cannot be opened.
    readers ??= createReaders(openDatabase(file, { readonly: true }))
    const reader: (...args: never[]) => unknown = readers[name]
    port.postMessage({ id, ok: true, value: reader(...args) } satisfies Answer<unknown>)
  } catch (error) {
    port.postMessage({ id, ok: false, failure: packFailure(error, file) } satisfies Answer<unknown>)
  }
})
