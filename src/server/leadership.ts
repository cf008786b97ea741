/**
 * Work that only one of the servers on a storage may do at a time, such as retention and scheduled
 * backups.
 */
export interface Leadership {
  /**
   * Runs `work` as soon as this server leads, and resolves with its result. `lost` aborts when the
   * server no longer leads, at the latest when its storage closes: the work then ends soon.
   */
  run<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T>
}

/** What leadership is asked for; each can have another leader. */
export type LeadershipName = 'fleet_jobs' | 'backups'
