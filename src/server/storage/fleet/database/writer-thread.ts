import { workerUrl } from '../../../worker-url.ts'
import { WorkerClient } from '../../threads/worker-client.ts'
import type { WriterRequest, WriterValue } from './fleet-worker.ts'

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

/** The thread that writes telemetry. */
export class WriterThread {
  readonly #thread: WorkerClient

  /** `file`: the database. */
  constructor(file: string) {
    const script = workerUrl('fleet-worker', import.meta.url)
    this.#thread = new WorkerClient(script, file, 'the telemetry writer')
  }

  /** Asks the thread. Rejects where it fails, or ends before it answers. */
  ask<Value extends WriterValue = number>(request: Unnumbered<WriterRequest>): Promise<Value> {
    return this.#thread.ask(request)
  }

  /** Closes the thread's connection, after what it was asked before, and ends it. */
  close(): Promise<void> {
    return this.#thread.close({ type: 'close' } satisfies Unnumbered<WriterRequest>)
  }
}
