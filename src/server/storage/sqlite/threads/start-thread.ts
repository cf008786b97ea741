import type { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../../runtime/threads/worker-url.ts'
import type { ThreadTask } from './thread-protocol.ts'

/** A thread as its client sees it, with the events `message`, `error` and `exit`. */
export interface Thread extends EventEmitter {
  postMessage(request: object): void
  terminate(): Promise<unknown>
}

/** Of the young space, in MB: a thread needs no more when that of the server's grows. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** Starts a thread. A module of its own, because tests have another one in its place that keeps threads. */
export function startThread(task: ThreadTask): Thread {
  const url = workerUrl('storage-worker', import.meta.url)
  return new Worker(url, { workerData: task, resourceLimits })
}
