import { failedOf, type HealthState, type ReleaseHealth } from '../../../shared/health/health.ts'
import type { FailedShare, NetworkShare } from '../../../shared/health/judgement.ts'
import {
  formatCounted,
  formatPercent,
  formatShare,
  formatSpan,
} from '../../../shared/wording/format.ts'
import { networksSentence, shortPercent } from '../../../shared/wording/judgement.ts'

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
  stopped: 'Stopped',
  tooFew: 'The outcome is not known yet of any device that counts',
  previous: (version: string) => `Previous release ${version} at this age`,
  noPrevious: 'No data of a previous release at this age',
} as const

/** Returns the health of a release in a line: `84% adopted, 12% waiting, 4% failed`. */
export function healthInWords(health: ReleaseHealth): string {
  const { offered, adopted, waiting } = health
  const share = (count: number) => formatShare(offered === 0 ? 0 : count / offered)
  return `${share(adopted)} adopted, ${share(waiting)} waiting, ${share(failedOf(health))} failed`
}

/** The picture of a verdict. */
export const verdictText = {
  gone: 'Not back after a day:',
  control: 'Not offered yet',
  previous: 'Previous release',
  limit: (percent: number) => `Limit ${shortPercent(percent)}`,
  share: ({ failed, judged }: FailedShare) =>
    `${shortPercent((100 * failed) / judged)} of ${formatCounted(judged, 'device')}`,
  range: ({ lowPct, highPct }: FailedShare) =>
    `(${shortPercent(lowPct)} to ${shortPercent(highPct)})`,
  percent: (percent: number) => formatPercent(percent),
} as const

/** What would come of confirming a change of a release that fails. */
export type Consequence = 'resume' | 'broaden' | 'resume_plan' | 'set_plan' | 'remove_plan'

const ACCEPTED = 'You accept the failures so far: only later ones can stop the release again.'

/** What a confirmation says of a release that fails. */
export const dangerText = {
  stopped: (version: string) => `The server stopped ${version} because too many devices failed`,
  failing: (version: string) => `${version} fails on too many devices`,
  failures: 'Failed devices',
  consequences: {
    resume: () =>
      'Devices are offered it again although these failures are known. Its plan stays stopped: the server raises alarms, but does not stop the release again until you resume the plan.',
    broaden: (isStopped) =>
      isStopped
        ? 'More devices are offered it although these failures are known. Its plan is stopped: the server raises alarms, but does not stop the release again.'
        : 'More devices are offered it although these failures are known. Without a running plan, the server raises alarms, but does not stop the release.',
    resume_plan: () => ACCEPTED,
    set_plan: (isStopped) =>
      isStopped ? ACCEPTED : 'The plan counts these failures, and can stop the release soon.',
    remove_plan: () =>
      'Without its plan, the overview no longer shows that the release was stopped.',
  } satisfies Readonly<Record<Consequence, (isStopped: boolean) => string>>,
} as const
