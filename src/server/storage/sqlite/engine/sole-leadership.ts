import type { LeaderFacts, Leadership, LeadershipName } from '../../../cluster/leadership.ts'

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

/** What the only server knows, until it ends. */
export class SoleLeaderFacts implements LeaderFacts {
  readonly #facts = new Map<LeadershipName, string>()

  async read(task: LeadershipName): Promise<string | null> {
    return this.#facts.get(task) ?? null
  }

  async write(task: LeadershipName, facts: string): Promise<void> {
    this.#facts.set(task, facts)
  }
}
