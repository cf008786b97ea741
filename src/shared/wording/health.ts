import type { HealthState, Outcome } from '../health.ts'

/** What became of a device that was offered a release. */
export const HEALTH_LABELS: Readonly<Record<HealthState, string>> = {
  waiting: 'Waiting',
  adopted: 'Adopted',
  stuck: 'Stuck',
  reverted: 'Reverted',
  silent: 'Silent',
  reported: 'Reported failure',
}

/** What an app reported of an update. */
export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  ok: 'Update works',
  failed: 'Update failed',
}
