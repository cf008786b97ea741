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

/** Returns the steps of a range that ends with the step that contains `now` (Unix ms). */
export function spanOf(range: ChartRange, now: number): ChartSpan {
  const { unit, steps } = SPANS[range]
  const to = unit === 'hour' ? hourOf(now) : dayOf(now)
  return { unit, from: to - steps + 1, to }
}

/** Returns when a step begins, as ISO 8601. */
export function stepStart(unit: ChartSpan['unit'], step: number): string {
  return new Date(step * WIDTH[unit]).toISOString()
}

/** Returns when each step begins, oldest first. */
export function stepStarts({ unit, from, to }: ChartSpan): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => stepStart(unit, from + index))
}

/** Returns the count of each step of a span, zero if there is none. Adds up the counts of one step. */
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
