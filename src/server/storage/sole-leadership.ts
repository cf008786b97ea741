import type { Leadership } from '../leadership.ts'

/**
 * The leadership of a server that has its storage exclusively: it leads from the start until it loses the
 * storage.
 */
export class SoleLeadership implements Leadership {
  readonly #lost = new AbortController()

  run<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    return work(this.#lost.signal)
  }

  /** The storage is no longer held. */
  lose(): void {
    this.#lost.abort(new Error('the storage was closed'))
  }
}
