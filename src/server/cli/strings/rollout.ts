import type { Adoption } from '../../../shared/releases/adoption.ts'
import type { ReleaseStatus } from '../../../shared/releases/release.ts'
import {
  formatCounted,
  formatDuration,
  formatPercent,
  formatShare,
} from '../../../shared/wording/format.ts'

const STATUS: Readonly<Record<ReleaseStatus, string>> = {
  published: 'published',
  paused: 'paused',
  rolled_back: 'rolled back',
}

/** Texts of the commands that change how a release is served, and of `wait`. */
export const text = {
  promote: {
    description: 'Publish a release of one channel on another, with the same notes and files',
    to: 'Channel to publish on',
    sameChannel: '--to: specify another channel',
    notServed: (version: string, channel: string, status: ReleaseStatus) =>
      `${version} is ${STATUS[status]} on ${channel}; promote a release that is published there`,
  },
  ramp: {
    description: 'Change the rollout of a release, which can only grow once it was offered',
    percentage: 'Rollout percentage, 0 to 100',
  },
  pause: { description: 'Pause a release, so that no other device is offered it' },
  resume: { description: 'Continue a paused release' },
  rollback: { description: 'Withdraw a release permanently' },
  rolledBack: (version: string) =>
    `${version} was rolled back and is offered to no device; publish a new version instead`,
  retarget: {
    description: 'Change the targets of a release, which can only broaden once it was offered',
    nothing: 'specify --targets or --targets-file',
  },
  wait: {
    description: 'Wait until a share of the devices on the channel runs a release',
    adopted: 'Share of the devices seen in the last 7 days that must run the version, 1% to 100%',
    shareRange: 'must be 1 to 100',
    timeout: 'Time after which to give up, such as 90s, 30m, 2h or 1d (default: 1h)',
    every: 'Time between two looks (default: 30s)',
    progress: (adoption: Adoption, wanted: number) =>
      `${counts(adoption)}; waiting for ${formatPercent(wanted)}`,
    reached: (adoption: Adoption) => `${counts(adoption)}.`,
    rolloutBelow: (rollout: number, wanted: number) =>
      `the rollout is ${formatPercent(rollout)}, so ${formatPercent(wanted)} of the devices cannot run the release until it is raised`,
    stopped: ({ version, status }: Adoption) =>
      `${version} was ${STATUS[status]}, so waiting ended`,
    timedOut: (wanted: number, seconds: number, last: Adoption | undefined) =>
      `${formatPercent(wanted)} was not reached in ${formatDuration(seconds, 'second')}${last === undefined ? '' : `: ${counts(last)}`}`,
    unreachable: (problem: string) => `${problem}; trying again`,
  },
  durationForm: 'It must be a duration of 1 second to 30 days, such as 90s, 30m, 2h or 1d.',
} as const

function counts({ version, adopted, devices, share }: Adoption): string {
  if (devices === 0) return `${version}: no devices were seen in the last 7 days`
  return `${version}: on ${adopted} of ${formatCounted(devices, 'device')} seen in the last 7 days (${formatShare(share)})`
}
