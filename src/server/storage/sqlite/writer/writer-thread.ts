import type { Areas } from '../../relational/areas.ts'
import { WorkerClient } from '../threads/worker-client.ts'
import type { TransactionRunner } from './transaction-runner.ts'

/** A request to the thread that writes. */
export type WriterRequest =
  | { readonly type: 'begin'; readonly within: number }
  | {
      readonly type: 'call'
      readonly area: keyof Areas
      readonly name: string
      readonly args: readonly unknown[]
    }
  | { readonly type: 'commit' | 'rollback' }

/**
 * Runs transactions on a separate thread, so that no check waits for a lock or a disk. When the thread
 * dies, SQLite rolls back what was not committed, and the next `begin` starts another thread.
 */
export class WriterThread implements TransactionRunner {
  readonly #thread: WorkerClient

  /** `file`: the database. */
  constructor(file: string) {
    this.#thread = new WorkerClient({ role: 'writer', file })
  }

  begin(within: number): Promise<void> {
    return this.#thread.ask({ type: 'begin', within })
  }

  call(area: keyof Areas, name: string, args: readonly unknown[]): Promise<unknown> {
    return this.#thread.ask({ type: 'call', area, name, args })
  }

  commit(): Promise<void> {
    return this.#thread.ask({ type: 'commit' })
  }

  rollback(): Promise<void> {
    return this.#thread.ask({ type: 'rollback' })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
