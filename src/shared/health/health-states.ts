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
