import type { CandidateTrace } from '../../../shared/devices/explanation.ts'
import { causePhrase } from '../../../shared/wording/explanation.ts'
import { formatCounted } from '../../../shared/wording/format.ts'

export const explainText = {
  title: 'Update decision',
  form: 'Device to explain',
  channel: 'Channel',
  version: 'Version',
  client: 'Updater',
  bundle: 'Bundle kind',
  noBundle: 'None',
  system: 'OS version',
  noSystem: (recorded: string | undefined) => recorded ?? 'Unknown',
  reset: 'Reset',
  manual: 'Manual check',
  noSideEffects: 'Checking a decision here has no side effects.',
  assumed: 'This is a simulation. The device is not changed.',
  versionNeeded: 'The version of this device is not recorded. Enter a version to see the decision.',
  issues: {
    version: (reason: string) => `The version ${reason}.`,
    bundle: (reason: string) => `The bundle kind ${reason}.`,
    system: (reason: string) => `The OS version ${reason}.`,
  },
  candidates: 'Releases considered, in order',
  release: 'Release',
  outcome: 'Outcome',
  reason: 'Reason',
  places:
    'A device has a fixed place in each rollout, from 0% to 100%. It is in the rollout once the percentage exceeds its place.',
  moreCandidates: (count: number) => `${formatCounted(count, 'more release')} not shown`,
} as const

/** Why a candidate was offered or skipped, as a sentence. */
export function whyInWords(candidate: CandidateTrace): string {
  const cause = causePhrase(candidate)
  return `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`
}
