import type { HealthState, Outcome } from '../health/health.ts'
import type { NetworkShare, StopReason } from '../health/judgement.ts'
import type { SessionHealth } from '../health/sessions.ts'
import { formatCount, formatCounted, formatPercent } from './format.ts'

/**
 * Returns why a release is stopped, without a full stop: `Failing: 11.2% of 402 devices, limit 3%`; or, if it is not known
 * to fail, what it is judged by: `Failures: 0% of 402 devices, limit 3%`.
 */
export function stopReasonLine(reason: StopReason, isFailing = true): string {
  const { failed, judged, networks } = reason
  const devices = `${shortPercent(judged === 0 ? 0 : (100 * failed) / judged)} of ${formatCounted(judged, 'device')}`
  const place = networks === undefined ? '' : `, in ${networksInWords(networks)}`
  const kind = 'gone' in reason ? ' not back after a day' : ''
  return `${isFailing ? 'Failing' : 'Failures'}: ${devices}${kind}, ${comparedWith(reason)}${place}`
}

/** Returns that so many stuck devices are not among those that a release is judged by, as a sentence; empty if they are. */
export function withoutStuck(reason: StopReason, stuck: number): string {
  if (stuck === 0 || reason.code !== 'too_many_failures' || reason.stuck > 0) return ''
  return `Without ${formatCounted(stuck, 'stuck device')}, which can still update.`
}

function comparedWith(reason: StopReason): string {
  switch (reason.code) {
    case 'too_many_failures':
      return `limit ${shortPercent(reason.limitPct)}`
    case 'worse_than_previous':
      return `${shortPercent(reason.previousPct)} with the previous release`
    default:
      return reason satisfies never
  }
}

/** A percentage with a digit after the point unless it is whole. */
export function shortPercent(percent: number): string {
  return formatPercent(percent, Number.isInteger(percent) ? 0 : 1)
}

/** Returns in how many networks devices failed, as a sentence. */
export function networksSentence(networks: NetworkShare): string {
  return `Failures in ${networksInWords(networks)}.`
}

function networksInWords({ failed, offered }: NetworkShare): string {
  return `${formatCount(failed)} of ${formatCounted(offered, 'network')}`
}

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

/** What the sessions of a release are called. */
export const CRASH_FREE = 'Crash-free sessions'

/** Returns what is known of the sessions of a release, as sentences. */
export function sessionsInWords(sessions: SessionHealth): string {
  const { started, ended, crashed, errored, abnormal, devices, crashedDevices } = sessions
  const { crashFreePct, crashFreeAtLeastPct } = sessions
  if (crashFreePct === null || crashFreeAtLeastPct === null) {
    return `${formatCounted(started, 'session')} started, none has ended.`
  }
  const share = `${formatPercent(crashFreePct, 2)} of ${formatCounted(ended, 'session')}, at least ${formatPercent(crashFreeAtLeastPct, 2)} at 95% confidence.`
  const counts = `${formatCount(crashed)} crashed, ${formatCount(errored)} had errors, ${formatCount(abnormal)} ended abnormally.`
  if (devices === null) return `${share} ${counts}`
  const affected = `About ${formatCounted(devices, 'device')}, ${formatCount(crashedDevices ?? 0)} with crashes.`
  return `${share} ${counts} ${affected}`
}
