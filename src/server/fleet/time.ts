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

/**
 * The periods by which devices are counted and listed, in days. There is one definition: "seen in the last 7 days"
 * means that the last check-in was at most 7 times 24 hours before now. Charts of these periods end with the
 * current hour or UTC day.
 */
const SEEN_DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type SeenPeriod = keyof typeof SEEN_DAYS
export const SEEN_PERIODS = ['24h', '7d', '30d', '90d'] as const satisfies readonly SeenPeriod[]

/** Returns the least recent last check-in of a device seen within a period before `now`; both in Unix ms. */
export function seenSince(period: SeenPeriod, now: number): number {
  return now - days(SEEN_DAYS[period])
}

/** Returns the milliseconds in that many days. */
export function days(count: number): number {
  return count * DAY
}
