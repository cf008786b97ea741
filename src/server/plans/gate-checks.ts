import type { CheckReading } from '../../shared/gate-check.ts'
import { checksOf, type PlanGate, readingHolds } from '../../shared/plan.ts'

/** Milliseconds for which a reading counts: two more can be late. */
const FRESH = 3 * 60_000

/** Returns whether every check of a gate has a value of these minutes, and each is within its bounds. `now`: Unix time in milliseconds. */
export function checksHold(
  gate: PlanGate,
  readings: readonly CheckReading[] | null,
  now: number,
): boolean {
  return checksOf(gate).every((name) => {
    const reading = readings?.find(({ check }) => check === name)
    if (reading === undefined || Math.abs(now - Date.parse(reading.at)) > FRESH) return false
    return readingHolds(gate, reading)
  })
}
