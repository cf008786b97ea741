import { dayOf, days, hourOf } from '../time.ts'
import type { ChartRange, ChartSpan } from './charts.ts'

const SPANS: Readonly<Record<ChartRange, { unit: ChartSpan['unit']; steps: number }>> = {
  '24h': { unit: 'hour', steps: 24 },
  '7d': { unit: 'hour', steps: 168 },
  '30d': { unit: 'day', steps: 30 },
  '90d': { unit: 'day', steps: 90 },
}

/** Milliseconds of a step. */
const WIDTH = { hour: days(1) / 24, day: days(1) } as const

/** The steps of a range that ends with the step that `now` (Unix ms) is in. */
export function spanOf(range: ChartRange, now: number): ChartSpan {
  const { unit, steps } = SPANS[range]
  const to = unit === 'hour' ? hourOf(now) : dayOf(now)
  return { unit, from: to - steps + 1, to }
}

/** When a step begins: ISO 8601. */
export function stepStart(unit: ChartSpan['unit'], step: number): string {
  return new Date(step * WIDTH[unit]).toISOString()
}

/** When each step begins, oldest first. */
export function stepStarts({ unit, from, to }: ChartSpan): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => stepStart(unit, from + index))
}

/** The counts of a span, one for each step: zero if there is none. Adds up those of one step. */
export function fillSteps<Count extends { readonly step: number }>(
  { from, to }: ChartSpan,
  counts: readonly Count[],
  of: (count: Count) => number,
): number[] {
  const filled = new Array<number>(to - from + 1).fill(0)
  for (const count of counts) {
    const index = count.step - from
    if (index >= 0 && index < filled.length) filled[index] = (filled[index] ?? 0) + of(count)
  }
  return filled
}
