import { median } from '../output/median.ts'
import type { Cell, Column } from '../output/table.ts'

/** A figure of both revisions, round by round: each of this one beside that of the other one right before or after it. */
export interface Pair {
  readonly what: string
  readonly unit: string
  readonly here: readonly number[]
  readonly there: readonly number[]
  /** Whether more is better. */
  readonly isMore: boolean
}

export const PAIR_COLUMNS: readonly Column[] = [
  { name: 'what' },
  { name: 'here', decimals: 2 },
  { name: 'there', decimals: 2 },
  { name: 'unit' },
  { name: 'ratio', decimals: 2 },
  { name: 'least', decimals: 2 },
  { name: 'most', decimals: 2 },
]

/** How much better this revision is, round by round: above 1 is better, also for what should be little. */
export function ratiosOf({ here, there, isMore }: Pair): number[] {
  return here.map((value, round) => {
    const other = there[round] ?? Number.NaN
    return isMore ? value / other : other / value
  })
}

/** Medians, and the median of the ratios with the least and the most. */
export function pairRow(pair: Pair): Record<string, Cell> {
  const ratios = ratiosOf(pair)
  return {
    what: pair.what,
    here: median(pair.here),
    there: median(pair.there),
    unit: pair.unit,
    ratio: median(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
  }
}

/**
 * Whether a row says that the server by itself is too slow: a ratio of processor time below `least`, to another revision or
 * to the bare server.
 */
export function isSlower(row: Readonly<Record<string, Cell>>, least: number): boolean {
  const ratio = String(row.unit).endsWith('of processor time') ? row.ratio : row['CPU ratio']
  return ratio !== undefined && !(Number(ratio) >= least)
}
