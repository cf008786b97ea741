import type { CatalogWrites, KeyUse } from '../../catalog/store.ts'
import { workerUrl } from '../../worker-url.ts'
import { WorkerClient } from '../threads/worker-client.ts'
import type { CallArgs, CallResult, TransactionRunner } from './catalog-connection.ts'

/** A request to the thread that writes the catalog. */
export type CatalogRequest = { readonly id: number } & (
  | { readonly type: 'begin'; readonly within: number }
  | { readonly type: 'call'; readonly name: keyof CatalogWrites; readonly args: readonly unknown[] }
  | { readonly type: 'offerFirst'; readonly releaseId: string; readonly seenRevision: number }
  | { readonly type: 'setUsed'; readonly uses: readonly KeyUse[] }
  | { readonly type: 'commit' | 'rollback' | 'close' }
)

/**
 * Runs transactions on a separate thread, so that no check waits for a lock or a disk. When the thread
 * dies, SQLite rolls back what was not committed, and the next `begin` starts another thread.
 */
export class CatalogThread implements TransactionRunner {
  readonly #thread: WorkerClient

  /** `file`: the database. */
  constructor(file: string) {
    const script = workerUrl('catalog-worker', import.meta.url)
    this.#thread = new WorkerClient(script, file, 'the catalog writer')
  }

  begin(within: number): Promise<void> {
    return this.#thread.ask({ type: 'begin', within })
  }

  call<Name extends keyof CatalogWrites>(
    name: Name,
    args: CallArgs<Name>,
  ): Promise<CallResult<Name>> {
    return this.#thread.ask({ type: 'call', name, args })
  }

  offerFirst(releaseId: string, seenRevision: number): Promise<boolean> {
    return this.#thread.ask({ type: 'offerFirst', releaseId, seenRevision })
  }

  setUsed(uses: readonly KeyUse[]): Promise<void> {
    return this.#thread.ask({ type: 'setUsed', uses })
  }

  commit(): Promise<void> {
    return this.#thread.ask({ type: 'commit' })
  }

  rollback(): Promise<void> {
    return this.#thread.ask({ type: 'rollback' })
  }

  close(): Promise<void> {
    return this.#thread.close({ type: 'close' })
  }
}
