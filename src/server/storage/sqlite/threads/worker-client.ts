import { StorageError } from '../../interface/storage-error.ts'
import { startThread, type Thread } from './start-thread.ts'
import {
  type Answer,
  CLOSE,
  type Request,
  type ThreadRole,
  type ThreadTask,
  unpackFailure,
} from './thread-protocol.ts'

/** The threads in errors. */
const NAMES: Readonly<Record<ThreadRole, string>> = {
  telemetry: 'the telemetry writer',
  writer: 'the writer',
  reader: 'the reader',
}

/** The arguments and the result of a method, both sent by structured clone. */
export type ArgsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never
export type ResultOf<Method> = Method extends (...args: never[]) => infer Result
  ? Awaited<Result>
  : never

interface Pending {
  /** Which answers. */
  readonly thread: Thread
  /** Receives the result. Only the caller knows its type. */
  resolve(value: never): void
  reject(error: Error): void
}

export interface WorkerClientOptions {
  readonly start?: ((task: ThreadTask) => Thread) | undefined
  /** Milliseconds without a request after which the thread ends: it takes 10 MB. It is kept unless this is given. */
  readonly idleTime?: number
}

/**
 * A worker thread that answers numbered requests about a database. The first request starts it. When it dies,
 * pending requests are rejected and the next request starts another.
 */
export class WorkerClient<Methods = Readonly<Record<string, () => unknown>>> {
  readonly #task: ThreadTask
  readonly #start: (task: ThreadTask) => Thread
  readonly #idleTime: number | undefined
  readonly #pending = new Map<number, Pending>()
  #thread: Thread | undefined
  #idle: NodeJS.Timeout | undefined
  /** The end of the thread that nobody asked for a while. */
  #ended = Promise.resolve()
  #lastId = 0
  #closed = false

  constructor(task: ThreadTask, { start = startThread, idleTime }: WorkerClientOptions = {}) {
    this.#task = task
    this.#start = start
    this.#idleTime = idleTime
  }

  get #name(): string {
    return NAMES[this.#task.role]
  }

  /** Calls a method of the thread's work. Rejects when it fails, ends before it answers, or is closed. */
  ask<Name extends keyof Methods & string>(
    method: Name,
    ...args: ArgsOf<Methods[Name]>
  ): Promise<ResultOf<Methods[Name]>> {
    if (this.#closed) {
      const detail = `${this.#name} is closed`
      return Promise.reject(new StorageError({ code: 'closed', file: this.#task.file, detail }))
    }
    return this.#send(this.#thread ?? this.#startThread(), method, args)
  }

  /**
   * Ends the thread: at once, or, where it changes something, after what it has been asked before. Nothing is answered
   * after that.
   */
  async close({ atOnce = false } = {}): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    await Promise.all([this.#ended, this.#thread && this.#end(this.#thread, atOnce)])
  }

  async #end(thread: Thread, atOnce: boolean): Promise<void> {
    if (!atOnce) await this.#send(thread, CLOSE, []).catch(() => {})
    await thread.terminate()
  }

  #send<Value>(thread: Thread, method: string, args: readonly unknown[]): Promise<Value> {
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      // A request that cannot be copied to the thread must not stay behind.
      thread.postMessage({ id, method, args } satisfies Request)
      this.#pending.set(id, { thread, resolve, reject })
    })
  }

  #startThread(): Thread {
    const thread = this.#start(this.#task)
    thread.on('message', (answer: Answer<never>) => this.#settle(answer))
    thread.on('error', (error: unknown) => this.#fail(thread, error))
    thread.on('exit', () => this.#fail(thread, new Error(`${this.#name} ended`)))
    this.#thread = thread
    return thread
  }

  #settle(answer: Answer<never>): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.ok) pending?.resolve(answer.value)
    else pending?.reject(unpackFailure(answer.failure))
    if (this.#idleTime === undefined || this.#pending.size > 0 || this.#closed) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#rest(), this.#idleTime).unref()
  }

  /** Nothing is pending: the next request starts another thread. */
  #rest(): void {
    const thread = this.#thread
    this.#thread = undefined
    if (thread !== undefined) this.#ended = this.#end(thread, false)
  }

  #fail(thread: Thread, error: unknown): void {
    if (this.#thread === thread) this.#thread = undefined
    const reason = error instanceof Error ? error : new Error(String(error))
    for (const [id, pending] of this.#pending) {
      if (pending.thread !== thread) continue
      this.#pending.delete(id)
      pending.reject(reason)
    }
  }
}
