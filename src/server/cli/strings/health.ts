import {
  HEALTH_STATES,
  judgedOf,
  type ReleaseHealth,
  type ReleaseHealthReport,
} from '../../../shared/health.ts'
import {
  formatCount,
  formatCounted,
  formatPercent,
  formatSpan,
} from '../../../shared/wording/format.ts'
import { HEALTH_LABELS } from '../../../shared/wording/judgement.ts'
import { CRASH_FREE, sessionsInWords } from '../../../shared/wording/sessions.ts'

/** Texts of `release health`. */
export const text = {
  description: 'Show what became of the devices that were offered a release',
  state: 'DEVICES',
  before: ({ version, ageHours }: { version: string; ageHours: number }) =>
    `${version} AFTER ${ageHours} H`,
  rows: (health: ReleaseHealth): [string, string][] => [
    ['Offered', formatCount(health.offered)],
    ...HEALTH_STATES.map((state): [string, string] => [
      HEALTH_LABELS[state],
      formatCount(health[state]),
    ]),
  ],
  summary: ({
    health,
    counted,
    newDevices,
    failureShare,
    timeToAdopt,
    sessions,
  }: ReleaseHealthReport) => [
    `Counts in plans: ${formatCounted(counted.offered, 'device')}; new devices: ${formatCount(newDevices.offered)}`,
    `Failure share: at least ${formatPercent(failureShare * 100)} of ${formatCounted(judgedOf(health), 'device')} with a known outcome`,
    ...(timeToAdopt === null
      ? []
      : [
          `Time to adopt: median ${formatSpan(timeToAdopt.medianSeconds)}, 90% within ${formatSpan(timeToAdopt.p90Seconds)}`,
        ]),
    ...(sessions === null ? [] : [`${CRASH_FREE}: ${sessionsInWords(sessions)}`]),
  ],
} as const
