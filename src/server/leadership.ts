import { once } from 'node:events'

/**
 * Work that only one of the servers on a storage may do at a time, such as retention and scheduled
 * backups.
 */
export interface Leadership {
  /**
   * Runs `work` as soon as this server leads, and resolves with its result. `lost` aborts when the
   * server no longer leads, at the latest when its storage closes: the work then ends soon. Work
   * that has not begun by then never runs, and the promise stays open.
   */
  run<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T>
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

/** Work in the background that begins and ends. */
export interface Job {
  start(): void
  stop(): void | Promise<void>
}

/** Runs jobs for as long as this server leads. Returns how to stop them, the last one first. */
export function whileLeading(leadership: Leadership, jobs: readonly Job[]): () => Promise<void> {
  const stopped = new AbortController()
  let begun = false
  const led = leadership.run(async (lost) => {
    const ended = AbortSignal.any([lost, stopped.signal])
    if (ended.aborted) return
    begun = true
    for (const job of jobs) job.start()
    await once(ended, 'abort')
    for (const job of jobs.toReversed()) await job.stop()
  })
  return async () => {
    stopped.abort()
    if (begun) await led
  }
}
