import type { HealthState, Outcome } from '../health.ts'
import type { NetworkShare, StopReason } from '../judgement.ts'
import { formatCount, formatCounted, formatPercent } from './format.ts'

/** Returns why a release is stopped, as a sentence. */
export function stopReasonSentence(reason: StopReason): string {
  const { failed, judged, failedPct } = reason
  const devices = `${formatCount(failed)} of ${formatCounted(judged, 'device')} failed`
  switch (reason.code) {
    case 'too_many_failures': {
      const { stuck, limitPct, usualPct } = reason
      const waiting = stuck === 0 ? '' : `, ${formatCount(stuck)} of them stuck`
      const usual =
        usualPct === 0 ? '' : `, including ${formatPercent(usualPct, 1)} that usually update late`
      const limit = `the limit is ${formatPercent(limitPct, 1)}${usual}`
      return `${devices}${waiting}: at least ${formatPercent(failedPct, 1)}, ${limit}.${inNetworks(reason)}`
    }
    case 'worse_than_previous': {
      const previous = formatPercent(reason.previousPct, 1)
      return `Not counting stuck devices, ${formatCount(failed)} of ${formatCount(judged)} failed: ${formatPercent(failedPct, 1)}, compared with ${previous} of the previous release.${inNetworks(reason)}`
    }
    default:
      return reason satisfies never
  }
}

function inNetworks({ networks }: StopReason): string {
  return networks === undefined ? '' : ` ${networksSentence(networks)}`
}

/** Returns in how many networks devices failed, as a sentence. */
export function networksSentence({ failed, offered }: NetworkShare): string {
  return `Failures in ${formatCount(failed)} of ${formatCounted(offered, 'network')}.`
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
