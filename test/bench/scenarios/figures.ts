import { median } from '../output/median.ts'
import type { Cell, Column } from '../output/table.ts'

/** A figure that is measured a few times. */
export interface Figure {
  readonly what: string
  readonly unit: string
  readonly values: readonly number[]
  /** The maximum allowed value. */
  readonly aim?: number
  /** Another figure to compare it with. */
  readonly than?: Figure
}

export const FIGURE_COLUMNS: readonly Column[] = [
  { name: 'what' },
  { name: 'median', decimals: 1 },
  { name: 'least', decimals: 1 },
  { name: 'most', decimals: 1 },
  { name: 'unit' },
  { name: 'ratio', decimals: 2 },
  { name: 'to' },
  { name: 'of aim', decimals: 2 },
]

/** A figure as a row; "of aim" above 1 exceeds the maximum. */
export function figureRow({ what, unit, values, aim, than }: Figure): Record<string, Cell> {
  const middle = median(values)
  return {
    what,
    median: middle,
    least: Math.min(...values),
    most: Math.max(...values),
    unit,
    ratio: than && middle / median(than.values),
    to: than?.what ?? '',
    'of aim': aim && middle / aim,
  }
}
