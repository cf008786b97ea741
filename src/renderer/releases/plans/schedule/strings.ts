import type { ForecastStep } from '../../../../shared/console/releases/plans.ts'
import { formatCount, formatCounted, formatPercent } from '../../../../shared/wording/format.ts'
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

type Evidence = NonNullable<ForecastStep['evidence']>

/** Returns how long it takes until a step shows that a release does not fail too often; empty if it has too few devices. */
export function evidenceInWords({ limitPct, hours }: Evidence): string {
  if (hours === null) return ''
  const days = Math.round(hours / 24)
  const time = hoursInWords(days < 2 ? hours : 24 * days)
  return `about ${time} until ${limitInWords(limitPct)} failures can be excluded`
}

/** Returns which steps have too few devices for that, as a sentence; empty if none has. */
export function tooFewInWords(steps: readonly ForecastStep[]): string {
  const last = steps.findLast(({ evidence }) => evidence?.hours === null)
  if (last?.evidence === undefined) return ''
  const { limitPct, devices, needed } = last.evidence
  const reached = `${formatCounted(devices, 'device')} at ${formatPercent(last.rolloutPct)}`
  return `${reached} cannot exclude ${limitInWords(limitPct)} failures: that takes about ${formatCount(needed)}.`
}

function limitInWords(limitPct: number): string {
  return formatPercent(limitPct, Number.isInteger(limitPct) ? 0 : 1)
}
