import { workerUrl } from '../../../worker-url.ts'
import { WorkerClient } from '../../threads/worker-client.ts'
import type { Readers } from './readers.ts'

/** What the store asks of its reader thread: the name of a reader and what it takes. */
export interface ReaderRequest {
  readonly id: number
  readonly name: keyof Readers
  readonly args: readonly never[]
}

/** What a reader takes and answers; both cross by structured clone. */
export type ReaderArgs<Name extends keyof Readers> = Parameters<Readers[Name]>
export type ReaderResult<Name extends keyof Readers> = ReturnType<Readers[Name]>

/**
 * The thread that reads what can take long, one request after the other, on a read-only connection
 * of its own: no check waits for it. It sees what is committed.
 */
export class ReaderThread {
  readonly #thread: WorkerClient

  /** `file`: the database. */
  constructor(file: string) {
    const script = workerUrl('reader-worker', import.meta.url)
    this.#thread = new WorkerClient(script, file, 'the reader')
  }

  /** Runs a reader of `createReaders`. Rejects when it throws, or the thread ends before. */
  read<Name extends keyof Readers>(
    name: Name,
    ...args: ReaderArgs<Name>
  ): Promise<ReaderResult<Name>> {
    return this.#thread.ask({ name, args })
  }

  /** Ends the thread. What it had not answered is rejected. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}
