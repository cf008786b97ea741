import { parentPort, workerData } from 'node:worker_threads'
import { serveThread } from './serve-thread.ts'

if (parentPort === null) throw new Error('storage-worker.ts runs as a worker thread only')
await serveThread(parentPort, workerData)
