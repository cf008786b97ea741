import type { AdoptionTime } from '../../../shared/health/health.ts'
import { FIRST_TIME } from './cells.ts'

/** Each bucket ends a fifth later than the one before: from a minute to 67 days. */
const BUCKETS = 64
const FIRST_END = 60
const GROWTH = 1.2
/** The cell of six hours. */
const SLOW = timeCell(6 * 3_600)

/** The cell that counts an adoption which took that many seconds. */
export function timeCell(seconds: number): number {
  const bucket = Math.ceil(Math.log(seconds / FIRST_END) / Math.log(GROWTH))
  return FIRST_TIME + Math.min(BUCKETS - 1, Math.max(0, bucket))
}

/** Returns whether the cell counts adoptions by the time that they took. */
export function isTime(cell: number): boolean {
  return cell >= FIRST_TIME && cell < FIRST_TIME + BUCKETS
}

/** Returns whether the cell counts adoptions that took more than about six hours. */
export function isSlow(cell: number): boolean {
  return isTime(cell) && cell > SLOW
}

/** Returns median and 90th percentile, exact to a tenth; null if nothing was adopted. `cells`: ascending. */
export function adoptionTime(
  cells: readonly (readonly [cell: number, devices: number])[],
): AdoptionTime | null {
  const total = cells.reduce((sum, [, devices]) => sum + devices, 0)
  if (total <= 0) return null
  return { median: quantile(cells, total / 2), p90: quantile(cells, total * 0.9) }
}

function quantile(
  cells: readonly (readonly [cell: number, devices: number])[],
  rank: number,
): number {
  let passed = 0
  for (const [cell, devices] of cells) {
    passed += devices
    if (passed >= rank) return middleOf(cell)
  }
  return middleOf(cells.at(-1)?.[0] ?? FIRST_TIME)
}

/** Milliseconds in the middle of a bucket. */
function middleOf(cell: number): number {
  return Math.round(1_000 * FIRST_END * GROWTH ** (cell - FIRST_TIME - 0.5))
}
