import type { ForecastStep } from '../../../shared/console/plans.ts'
import { formatCount, formatCounted, formatPercent } from '../../../shared/wording/format.ts'
import { hoursInWords } from '../strings.ts'

/** A plan laid over the calendar. */
export const text = {
  steps: 'Steps with their earliest times',
  refused: 'This plan cannot be set',
  past: 'Already past',
  never: 'Never',
  counting: 'Counting devices…',
  applied: (when: string) => `Steps are applied ${when}.`,
} as const

/** Returns how long it takes until a step shows that a release does not fail too often; empty where that is not known. */
export function evidenceInWords(evidence: ForecastStep['evidence']): string {
  if (evidence === undefined) return ''
  const { limitPct, needed, devices, hours } = evidence
  const limit = formatPercent(limitPct, Number.isInteger(limitPct) ? 0 : 1)
  if (hours === null) {
    return `${formatCounted(devices, 'device')} cannot exclude ${limit} failures; about ${formatCount(needed)} can`
  }
  const days = Math.round(hours / 24)
  return `about ${hoursInWords(days < 2 ? hours : 24 * days)} until ${limit} failures can be excluded`
}
