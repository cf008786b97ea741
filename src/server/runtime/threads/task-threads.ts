import { on } from 'node:events'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { type ServedTask, STOP, type TaskEvent } from './serve-tasks.ts'

/** Milliseconds that a thread without a task is kept: the next of its kind often follows soon. */
const LINGER = 10_000

export interface TaskThreadOptions {
  readonly limits?: ResourceLimits
  /** Milliseconds that a stopped task has to end by itself: 0, the default, for one that may end anywhere. */
  readonly stopTime?: number
  /** Milliseconds that a thread is kept for the next task, 10 s by default. */
  readonly linger?: number
}

/** Threads for tasks that take a processor. They start with the first task and end when nobody needed them for a while. */
export class TaskThreads<Task, Result, Progress = never> {
  readonly #script: URL
  readonly #limits: ResourceLimits | undefined
  readonly #stopTime: number
  readonly #linger: number
  readonly #free: { readonly worker: Worker; readonly ending: NodeJS.Timeout }[] = []

  /** `script` serves the tasks with `serveTasks`. */
  constructor(script: URL, options: TaskThreadOptions = {}) {
    this.#script = script
    this.#limits = options.limits
    this.#stopTime = options.stopTime ?? 0
    this.#linger = options.linger ?? LINGER
  }

  /** The result of a task. Throws the reason of `signal` once the task has stopped, and what the thread died of. */
  async run(
    task: Task,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void = () => {},
  ): Promise<Result> {
    for await (const event of this.events(task, signal)) {
      if (event.type === 'result') return event.result
      onProgress(event.progress)
    }
    throw new Error('unreachable: the last event is the result')
  }

  /** What a task reports: its progress, and last its result. Throws as `run`, and stops the task when nobody listens any more. */
  async *events(
    task: Task,
    signal: AbortSignal,
  ): AsyncGenerator<TaskEvent<Result, Progress>, void> {
    signal.throwIfAborted()
    const worker = this.#take()
    let killing: NodeJS.Timeout | undefined
    const stop = () => {
      worker.postMessage(STOP)
      killing = setTimeout(() => void worker.terminate(), this.#stopTime)
    }
    let isDone = false
    try {
      const events = on(worker, 'message', { close: ['exit'] })
      signal.addEventListener('abort', stop, { once: true })
      worker.postMessage({ task } satisfies ServedTask<Task>)
      // An 'error' of the thread is thrown here.
      for await (const [event] of events) {
        signal.throwIfAborted()
        isDone = event.type === 'result'
        yield event
        if (isDone) return
      }
      throw new Error('a thread ended without a result')
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      clearTimeout(killing)
      if (isDone && this.#linger > 0 && !signal.aborted) this.#rest(worker)
      else await worker.terminate()
    }
  }

  #take(): Worker {
    const free = this.#free.pop()
    if (free === undefined) return this.#start()
    clearTimeout(free.ending)
    free.worker.ref()
    return free.worker
  }

  #start(): Worker {
    const worker = new Worker(this.#script, this.#limits && { resourceLimits: this.#limits })
    // Whoever waits for a task hears of it, too.
    worker.on('error', () => {})
    worker.once('exit', () => this.#forget(worker))
    return worker
  }

  #rest(worker: Worker): void {
    worker.unref()
    const ending = setTimeout(() => {
      this.#forget(worker)
      void worker.terminate()
    }, this.#linger).unref()
    this.#free.push({ worker, ending })
  }

  #forget(worker: Worker): void {
    const at = this.#free.findIndex((free) => free.worker === worker)
    if (at === -1) return
    const [free] = this.#free.splice(at, 1)
    clearTimeout(free?.ending)
  }
}
