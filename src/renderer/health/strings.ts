import { failedOf, type HealthState, judgedOf, type ReleaseHealth } from '../../shared/health.ts'
import type { NetworkShare } from '../../shared/judgement.ts'
import {
  formatCounted,
  formatPercent,
  formatShare,
  formatSpan,
} from '../../shared/wording/format.ts'
import { networksSentence } from '../../shared/wording/judgement.ts'

export const text = {
  title: 'Health',
  none: 'No device has been offered this release yet. Counts appear here once devices check for updates.',
  offered: 'Offered',
  counts: 'Devices that were offered this release',
  hints: {
    waiting: 'Not updated yet',
    adopted: 'Seen on it or above',
    stuck: 'Offered 3 times in 24 hours or longer, still below',
    reverted: 'Was on it, is below again',
    silent: 'Not seen for three times its usual interval',
    reported: 'Its app reported that the update failed',
  } satisfies Readonly<Record<HealthState, string>>,
  listed: (devices: number) => (devices === 1 ? 'is listed.' : 'are listed.'),
  movedOn: (devices: number) =>
    `${formatCounted(devices, 'other')} adopted it, and ${devices === 1 ? 'has' : 'have'} been offered another release since.`,
  timeToAdopt: 'Time to adopt',
  quantiles: (median: number, p90: number) =>
    `Median ${formatSpan(median)}, 90% within ${formatSpan(p90)}`,
  counted: 'Counts in plans',
  newDevices: 'New devices',
  devices: (health: ReleaseHealth) =>
    `${formatCounted(health.offered, 'device')}: ${healthInWords(health)}`,
  countedIn: (health: ReleaseHealth, networks: NetworkShare) =>
    networks.offered === 0
      ? text.devices(health)
      : `${text.devices(health)}. ${networksSentence(networks)}`,
  failureShare: 'Failures',
  atLeast: (share: number, judged: number) =>
    `At least ${formatPercent(share * 100, share > 0 && share < 0.1 ? 1 : 0)} of ${formatCounted(judged, 'device')} with a known outcome`,
  tooFew: 'No device with a known outcome yet',
  previous: (version: string) => `Previous release ${version} at this age`,
  noPrevious: 'No data of a previous release at this age',
} as const

/** Returns the health of a release in a line: `84% adopted, 12% waiting, 4% failed`. */
export function healthInWords(health: ReleaseHealth): string {
  const { offered, adopted, waiting } = health
  const share = (count: number) => formatShare(offered === 0 ? 0 : count / offered)
  return `${share(adopted)} adopted, ${share(waiting)} waiting, ${share(failedOf(health))} failed`
}

/** Returns how many devices fail at least. */
export function failuresInWords(health: ReleaseHealth, failureShare: number): string {
  const judged = judgedOf(health)
  return judged === 0 ? text.tooFew : text.atLeast(failureShare, judged)
}
