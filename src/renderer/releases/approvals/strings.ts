import type { ChangeRequestItem, ChangeSummary } from '../../../shared/releases/change-request.ts'
import { formatCounted, formatList, formatPercent } from '../../../shared/wording/format.ts'
import { inSentence, targetsInWords } from '../targets/strings.ts'

export const text = {
  title: 'Approvals',
  description: 'Changes that wait for a second person',
  open: 'Open requests',
  closed: 'Recent decisions',
  openTable: 'Open change requests',
  closedTable: 'Decided change requests',
  empty: 'No open requests',
  emptyHint:
    'Changes on channels that require approval appear here. You can require approval in the policy of a channel.',
  columns: {
    change: 'Change',
    requestedBy: 'Requested by',
    requested: 'Requested',
    expires: 'Expires',
    outcome: 'Outcome',
    closed: 'Decided',
  },
  waiting: 'Waiting for approval',
  pending: (count: number) => `${formatCounted(count, 'request')} to decide`,
  notFound: 'Change request not found',
  notFoundHint:
    'It may have been removed with its app or channel, or 90 days after it was decided.',
  showAll: 'Show approvals',

  change: 'Change',
  impact: 'Impact',
  impactNow: 'Impact now',
  part: 'Setting',
  now: 'Now',
  afterwards: 'After',
  requestedValue: 'Requested',
  rollout: 'Rollout',
  plan: 'Plan',
  targets: 'Targets',
  status: 'Status',
  artifacts: 'Artifacts',
  devices: 'Devices',
  known: 'Counted',
  gaining: 'Newly offered',
  losing: 'No longer offered',
  whenRequested: 'When requested',
  unknown: '–',
  requestedBy: (name: string) => `Requested by ${name}`,
  noComment: 'No comment',
  expires: 'Expires',
  openRelease: 'Open release',
  ownRequest: 'Another person with the role release manager must decide on your request.',

  notForYou:
    'A release manager must decide. One whom the requester invited, gave a role or sent a new password link while approval was required does not count, nor the other way round.',

  request: 'Request approval',
  needsApproval: 'This channel requires approval. A second person must apply the change.',
  comment: 'Comment',
  commentHint: 'Shown to the person who decides, and in the audit log.',
  requested: (version: string) => `Approval requested for ${version}`,
  notRequested: (version: string) => `Approval for ${version} not requested`,
  apply: 'Apply change',
  applyTitle: 'Apply this change?',
  applied: (version: string) => `Change of ${version} applied`,
  notApplied: (version: string) => `Change of ${version} not applied`,
  decline: 'Decline',
  declineTitle: 'Decline this change?',
  declineAction: 'Decline change',
  declined: (version: string) => `Change of ${version} declined`,
  notDeclined: (version: string) => `Change of ${version} not declined`,
  withdraw: 'Withdraw',
  withdrawTitle: 'Withdraw your request?',
  withdrawAction: 'Withdraw request',
  withdrawHint: 'The change will not be made. You can request it again.',
  withdrawn: (version: string) => `Request for ${version} withdrawn`,
  notWithdrawn: (version: string) => `Request for ${version} not withdrawn`,
} as const

/** Returns what a request changes, as a title: `Raise the rollout of 2.1.0 to 50%`. */
export function changeInWords({
  change,
  version,
}: {
  change: ChangeSummary
  version: string
}): string {
  if (change.kind === 'plan') return `Roll out ${version} by a plan`
  if (change.kind === 'publish') {
    return change.plan === undefined
      ? `Publish ${version} at ${formatPercent(change.rolloutPct)}`
      : `Publish ${version} with a plan`
  }
  const { status, rolloutPct, targets } = change
  const parts = [
    ...(status === 'published' ? [`resume ${version}`] : []),
    ...(rolloutPct === undefined
      ? []
      : [`set the rollout of ${version} to ${formatPercent(rolloutPct)}`]),
    ...(targets === undefined ? [] : [`change the targets of ${version}`]),
    ...(status === 'paused' ? [`pause ${version}`] : []),
  ]
  const words = formatList(parts)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns which devices a change is about, in a line under its title; undefined if that stays as it is. */
export function targetsOfChange(change: ChangeSummary): string | undefined {
  const targets = change.kind === 'plan' ? undefined : change.targets
  return targets && `${text.targets}: ${inSentence(targetsInWords(targets))}`
}

/** Returns how a request ended. */
export function outcomeInWords({ state, by }: NonNullable<ChangeRequestItem['closed']>): string {
  const words: Record<typeof state, string> = {
    applied: `Applied by ${by}`,
    declined: `Declined by ${by}`,
    withdrawn: `Withdrawn by ${by}`,
    expired: 'Expired',
  }
  return words[state]
}
