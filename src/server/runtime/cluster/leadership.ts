import { once } from 'node:events'

/** Work that only one of the servers on a storage may do at a time, such as retention and scheduled backups. */
export interface Leadership {
  /**
   * Runs `work` as soon as this server leads, and resolves with its result. `lost` aborts when the
   * server no longer leads, at the latest when its storage closes: the work then ends soon. Work
   * that has not begun by then never runs, and the promise stays open.
   */
  run<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T>
}

/** What the leader of a task tells all servers on its storage, also after it leads no longer: one text for each task. */
export interface LeaderFacts {
  /** Returns what was told last; null before. Rejects with `StorageError`. */
  read(task: LeadershipName): Promise<string | null>
  /** Rejects with `StorageError`, and unless this server leads the task. */
  write(task: LeadershipName, facts: string): Promise<void>
}

/** The tasks that need a leader; each can have another one. */
export type LeadershipName =
  | 'fleet_jobs'
  | 'backups'
  | 'change_requests'
  | 'outbox'
  | 'proving'
  | 'plans'
  | 'hosting'

/** This server does not lead, or no longer: another one may do the same work. */
export class NotLeadingError extends Error {
  override readonly name = 'NotLeadingError'
  readonly leadership: LeadershipName

  constructor(leadership: LeadershipName) {
    super(`this node does not lead ${leadership}`)
    this.leadership = leadership
  }
}

/** Work in the background that begins and ends. */
export interface Job {
  start(): void
  stop(): void | Promise<void>
}

/**
 * Runs jobs whenever this server leads: stops them when it no longer does, the last one first, and asks to lead again once
 * all have stopped. Returns how to stop them for good.
 */
export function whileLeading(leadership: Leadership, jobs: readonly Job[]): () => Promise<void> {
  const stopped = new AbortController()
  let leading: Promise<void> | undefined

  /** Resolves to whether to ask again. */
  const lead = async (lost: AbortSignal): Promise<boolean> => {
    // A lead that is lost before it begins is one that never comes back: the storage has closed.
    if (lost.aborted || stopped.signal.aborted) return false
    const time = runUntil(AbortSignal.any([lost, stopped.signal]), jobs)
    leading = time
    await time
    return !stopped.signal.aborted
  }

  const led = (async () => {
    while (await leadership.run(lead));
  })()
  // What a job throws while it stops reaches whoever stops all of them.
  led.catch(() => {})
  return async () => {
    stopped.abort()
    // A lead that has not come yet is not waited for.
    await leading
  }
}

async function runUntil(ended: AbortSignal, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) job.start()
  await once(ended, 'abort')
  for (const job of jobs.toReversed()) await job.stop()
}
