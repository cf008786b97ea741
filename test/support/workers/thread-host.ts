import { type MessagePort, parentPort } from 'node:worker_threads'
import { serveThread } from '../../../src/server/storage/sqlite/threads/serve-thread.ts'
import type { ThreadTask } from '../../../src/server/storage/sqlite/threads/thread-protocol.ts'

// A thread that has one task after the other, each on a port of its own; see `start-thread.ts`.

/** What the thread is asked, and answers `FREE` once the task has ended. */
export interface HostedTask {
  readonly task: ThreadTask
  readonly port: MessagePort
}

export const FREE = 'free'

parentPort?.on('message', async ({ task, port }: HostedTask) => {
  const work = await serveThread(port, task)
  port.on('close', async () => {
    await work.close()
    parentPort?.postMessage(FREE)
  })
})
