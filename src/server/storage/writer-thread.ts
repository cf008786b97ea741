import { Worker } from 'node:worker_threads'
import { workerUrl } from '../worker-url.ts'
import type { WriterAnswer, WriterRequest } from './fleet-worker.ts'

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

interface Pending {
  resolve(value: number): void
  reject(error: Error): void
}

/**
 * The thread that writes telemetry. Started with the first request; when it dies, what waits is
 * rejected and the next request starts another.
 */
export class WriterThread {
  readonly #file: string
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #lastId = 0

  /** `file`: the database. */
  constructor(file: string) {
    this.#file = file
  }

  /** Asks the thread. Rejects where it fails, or ends before it answers. */
  ask(request: Unnumbered<WriterRequest>): Promise<number> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ ...request, id })
    })
  }

  /** Closes the thread's connection and ends it. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    await this.ask({ type: 'close' }).catch(() => {})
    await worker.terminate()
  }

  #start(): Worker {
    const worker = new Worker(workerUrl('fleet-worker', import.meta.url), {
      workerData: this.#file,
    })
    worker.on('message', (answer: WriterAnswer) => this.#settle(answer))
    worker.on('error', (error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('the telemetry writer ended')))
    return worker
  }

  #settle(answer: WriterAnswer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.ok) pending?.resolve(answer.value)
    else pending?.reject(new Error(answer.message))
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending)
      reject(error instanceof Error ? error : new Error(String(error)))
  }
}
