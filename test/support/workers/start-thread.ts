import { EventEmitter, once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Thread } from '../../../src/server/storage/sqlite/threads/start-thread.ts'
import type { ThreadTask } from '../../../src/server/storage/sqlite/threads/thread-protocol.ts'
import { scriptFile } from './script-file.ts'
import type { HostedTask } from './thread-host.ts'

/** Threads without a task. Those of two servers are kept. */
const free: Worker[] = []
const MAX_FREE = 6

/**
 * Gives the task to a thread that has had others, in place of `src/server/storage/sqlite/threads/start-thread.ts`: to start one
 * takes 32 ms of processor time, and every server has three.
 */
export function startThread(task: ThreadTask): Thread {
  return new HostedThread(free.pop() ?? new Worker(scriptFile('thread-host')), task)
}

class HostedThread extends EventEmitter implements Thread {
  readonly #worker: Worker
  readonly #port: MessagePort
  /** Rejects when the thread dies. */
  readonly #freed: Promise<unknown>
  readonly #failed = (error: unknown) => this.emit('error', error)
  readonly #exited = () => this.emit('exit')
  #unanswered = 0

  constructor(worker: Worker, task: ThreadTask) {
    super()
    const { port1, port2 } = new MessageChannel()
    this.#worker = worker
    this.#port = port1
    this.#freed = once(worker, 'message')
    this.#freed.catch(() => {})
    worker.ref()
    worker.on('error', this.#failed).on('exit', this.#exited)
    port1.on('message', (answer) => {
      this.#unanswered--
      this.emit('message', answer)
    })
    worker.postMessage({ task, port: port2 } satisfies HostedTask, [port2])
  }

  postMessage(request: object): void {
    this.#port.postMessage(request)
    this.#unanswered++
  }

  /** What is still at work is killed, as every thread is elsewhere. */
  async terminate(): Promise<void> {
    if (this.#unanswered > 0 || free.length >= MAX_FREE) {
      await this.#worker.terminate()
      this.#port.close()
      return
    }
    this.#port.close()
    await this.#freed
    this.#worker.off('error', this.#failed).off('exit', this.#exited)
    this.#worker.unref()
    free.push(this.#worker)
    this.emit('exit')
  }
}
