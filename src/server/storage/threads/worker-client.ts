import { Worker } from 'node:worker_threads'
import { StorageError } from '../interface/storage-error.ts'
import { type ThreadFailure, unpackFailure } from './thread-failure.ts'

/** A thread's response to the request with that number. */
export type Answer<Value> =
  | { readonly id: number; readonly ok: true; readonly value: Value }
  | { readonly id: number; readonly ok: false; readonly failure: ThreadFailure }

interface Pending {
  /** Receives the result. Only the caller knows its type. */
  resolve(value: never): void
  reject(error: Error): void
}

/**
 * A worker thread that answers numbered requests about a database. The first request starts it. When it dies,
 * pending requests are rejected and the next request starts another.
 */
export class WorkerClient {
  readonly #script: URL
  readonly #file: string
  readonly #name: string
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #lastId = 0
  #closed = false

  /** `script` receives `file`, the database, as its `workerData`. `name`: its name in errors. */
  constructor(script: URL, file: string, name: string) {
    this.#script = script
    this.#file = file
    this.#name = name
  }

  /** Asks the thread. Rejects when it fails, ends before it answers, or is closed. */
  ask<Value>(request: object): Promise<Value> {
    if (this.#closed) {
      const detail = `${this.#name} is closed`
      return Promise.reject(new StorageError({ code: 'closed', file: this.#file, detail }))
    }
    return this.#send(this.#worker ?? this.#start(), request)
  }

  /**
   * Ends the thread; a thread of requests that change something is given a `last` one, and its
   * answer is waited for. Nothing is answered after that.
   */
  async close(last?: object): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    if (worker === undefined) return
    if (last !== undefined) await this.#send(worker, last).catch(() => {})
    await worker.terminate()
  }

  #send<Value>(worker: Worker, request: object): Promise<Value> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      // A request that cannot be copied to the thread must not stay behind.
      worker.postMessage({ ...request, id })
      this.#pending.set(id, { resolve, reject })
    })
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { workerData: this.#file })
    worker.on('message', (answer: Answer<never>) => this.#settle(answer))
    worker.on('error', (error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error(`${this.#name} ended`)))
    this.#worker = worker
    return worker
  }

  #settle(answer: Answer<never>): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.ok) pending?.resolve(answer.value)
    else pending?.reject(unpackFailure(answer.failure))
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    const reason = error instanceof Error ? error : new Error(String(error))
    for (const { reject } of pending) reject(reason)
  }
}
