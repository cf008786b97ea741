// Apart from the schemas: the threads that count devices would load those at every start.

/** What can become of a device that was offered a release. */
export const HEALTH_STATES = [
  'waiting',
  'adopted',
  'stuck',
  'reverted',
  'silent',
  'reported',
] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** Those that count as failures. */
export const FAILURES = ['stuck', 'reverted', 'silent', 'reported'] as const
export type Failure = (typeof FAILURES)[number]

/** The health of a release that nothing is known of. */
export const NO_HEALTH: Readonly<Record<'offered' | HealthState, number>> = {
  ...{ offered: 0, waiting: 0, adopted: 0 },
  ...{ stuck: 0, reverted: 0, silent: 0, reported: 0 },
}

/** What sessions of apps are counted as, each once when it starts and once when it ends. */
export const SESSION_COUNTS = ['started', 'healthy', 'errored', 'crashed', 'abnormal'] as const
export type SessionCounts = Readonly<Record<(typeof SESSION_COUNTS)[number], number>>

export const NO_SESSIONS: SessionCounts = {
  started: 0,
  healthy: 0,
  errored: 0,
  crashed: 0,
  abnormal: 0,
}

/** Returns how many sessions have ended. */
export function endedOf({ healthy, errored, crashed, abnormal }: SessionCounts): number {
  return healthy + errored + crashed + abnormal
}
