import {
  type CheckReading,
  checksOf,
  type GateChecks,
  readingHolds,
} from '../../shared/gate-check.ts'

/** Milliseconds for which a reading counts: two more can be late. */
const FRESH = 3 * 60_000

/** Returns whether every check of a gate has a value of these minutes, and each is within its bounds. `now`: Unix time in milliseconds. */
export function checksHold(
  gate: GateChecks,
  readings: readonly CheckReading[] | null,
  now: number,
): boolean {
  return checksOf(gate).every((name) => {
    const reading = readings?.find(({ check }) => check === name)
    if (reading === undefined || Math.abs(now - Date.parse(reading.at)) > FRESH) return false
    return readingHolds(gate, reading)
  })
}
