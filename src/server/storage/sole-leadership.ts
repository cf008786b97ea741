import type { Leadership } from '../leadership.ts'

/**
 * The leadership of a server that has its storage for itself: it leads from the start, and loses
 * the lead with the storage.
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
