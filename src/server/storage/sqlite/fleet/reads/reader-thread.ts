import { WorkerClient, type WorkerClientOptions } from '../../threads/worker-client.ts'
import type { Readers } from './readers.ts'

/** A request of the store to its reader thread: the name of a reader and its arguments. */
export interface ReaderRequest {
  readonly name: keyof Readers
  readonly args: readonly never[]
}

/** Arguments and result of a reader, both sent by structured clone. */
export type ReaderArgs<Name extends keyof Readers> = Parameters<Readers[Name]>
export type ReaderResult<Name extends keyof Readers> = ReturnType<Readers[Name]>

/** Somebody who looks at the fleet asks more often. */
const IDLE_TIME = 30_000

/**
 * The thread for long reads, one after the other, on its own read-only connection, so that no check waits for
 * them. It sees committed data.
 */
export class ReaderThread {
  readonly #thread: WorkerClient

  /** `file`: the database. */
  constructor(file: string, { start }: Pick<WorkerClientOptions, 'start'> = {}) {
    this.#thread = new WorkerClient({ role: 'reader', file }, { start, idleTime: IDLE_TIME })
  }

  /** Runs a reader of `createReaders`. Rejects when it throws, or the thread ends first. */
  read<Name extends keyof Readers>(
    name: Name,
    ...args: ReaderArgs<Name>
  ): Promise<ReaderResult<Name>> {
    return this.#thread.ask({ name, args })
  }

  /** Ends the thread. Rejects pending requests. */
  close(): Promise<void> {
    return this.#thread.close({ atOnce: true })
  }
}
