const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Whole days since 1970-01-01 UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY)
}

/** Whole hours since 1970-01-01 UTC. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR)
}

/** `2026-03-14` for a day as `dayOf` counts it. */
export function dayName(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

/** Milliseconds in so many days. */
export function days(count: number): number {
  return count * DAY
}
