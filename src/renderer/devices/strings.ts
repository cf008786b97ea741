import type { Candidate, DeviceCheckIn } from '../../shared/console/devices.ts'
import type { DecisionReason } from '../../shared/manifest.ts'
import { OTHER } from '../../shared/other.ts'

/** `ring=early, site=Graz`; empty where there is none. */
export function labelsInWords(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
}

/** `darwin aarch64`, and `not said` where a report left both out. */
export function systemInWords({ platform, arch }: { platform: string; arch: string }): string {
  if (platform === OTHER) return 'Other'
  return [platform, arch].filter((part) => part !== '').join(' ') || 'not said'
}

/** Where a check-in came from. */
export const SOURCE_WORDS: Readonly<Record<DeviceCheckIn['source'], string>> = {
  check: 'Update check',
  decision: 'Fleet decision',
  report: 'Fleet report',
}

/** How a check-in was answered. */
export const ANSWER_WORDS: Readonly<Record<DecisionReason, string>> = {
  update: 'Offered an update',
  rollback: 'Sent to a lower version',
  up_to_date: 'Up to date',
  no_release: 'Nothing to offer',
  not_targeted: 'Not targeted',
  outside_cohort: 'Outside the rollout',
  no_artifact: 'No artifact',
}

/** What became of a candidate. */
export const OUTCOME_WORDS: Readonly<Record<Candidate['outcome'], string>> = {
  offered: 'Offered',
  not_targeted: 'Not targeted',
  outside_cohort: 'Outside the rollout',
  no_artifact: 'No artifact',
}

/** A version, platform or architecture to choose from. */
export function choiceInWords(value: string): string {
  return value === OTHER ? 'Other' : value
}

/** How long check-ins are kept. */
export function keptInWords(days: number): string {
  if (days === 0) return 'Check-ins are kept for ever.'
  return `Check-ins are kept for ${days} ${days === 1 ? 'day' : 'days'}.`
}

/** Why a candidate was offered or passed over, as a sentence. */
export function whyInWords({ detail }: Candidate): string {
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`
}
