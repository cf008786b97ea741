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

/** Returns how long it takes until a step shows that a release does not fail too often, or silences devices; empty if it has too few. */
export function evidenceInWords({ limitPct, hours, silenceHours }: Evidence): string {
  const days = Math.round((hours ?? 0) / 24)
  const time = hours !== null && hoursInWords(days < 2 ? hours : 24 * days)
  const failures = time && `About ${time} until ${limitInWords(limitPct)} failures can be excluded`
  const silence =
    silenceHours !== null && `Silence of 25% shows after ${hoursInWords(silenceHours)} or later`
  return [failures, silence].filter(Boolean).join('. ')
}

/** Returns that no step reaches enough devices to find silent ones; empty if one does, or none has a percentage. */
export function unfoundInWords(steps: readonly ForecastStep[]): string {
  const known = steps.flatMap(({ evidence }) => evidence ?? [])
  if (known.length === 0 || known.some(({ silenceHours }) => silenceHours !== null)) return ''
  return 'No step reaches enough devices to show that a quarter of them falls silent.'
}

/** Returns which step has too few devices for that, in sentences: one whose gate stays closed, or else the last; empty if none has. */
export function tooFewInWords(steps: readonly ForecastStep[]): string {
  const few = steps.filter(({ evidence }) => evidence?.hours === null)
  const { rolloutPct, evidence } = few.find(({ evidence }) => evidence?.gate) ?? few.at(-1) ?? {}
  if (evidence === undefined || rolloutPct === undefined) return ''
  const { limitPct, devices, needed, gate } = evidence
  const reached = `${formatCounted(devices, 'device')} at ${formatPercent(rolloutPct)}`
  const sentence = `${reached} cannot exclude ${limitInWords(limitPct)} failures: that takes about ${formatCount(needed)}.`
  if (gate === null) return sentence
  const opens = devices < gate.opensFrom ? 'stays closed' : 'opens only if almost none fails'
  const least = gate.leastPct === null ? '' : ` They can exclude ${formatPercent(gate.leastPct)}.`
  return `${sentence} The gate ${opens}.${least}`
}

function limitInWords(limitPct: number): string {
  return formatPercent(limitPct, Number.isInteger(limitPct) ? 0 : 1)
}
