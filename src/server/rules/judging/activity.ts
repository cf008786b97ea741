import type { Activity } from './counted.ts'

const DAY = 86_400_000
/** Weeks that a day is compared with. */
const WEEKS = 4

/** What is known of the check-ins of a channel. */
export interface Presence {
  /** Devices seen in the last 24 hours. */
  readonly seen: number
  /** Devices seen on a day, by days since 1970-01-01 UTC. */
  readonly byDay: ReadonlyMap<number, number>
}

/**
 * Returns how many devices were seen in the 24 hours before `now` (Unix time in milliseconds), and how many usually are at
 * that time of the week: the medians of the same days of four weeks, in proportion to the hours of either day. null if no
 * such day is known.
 */
export function activityOf({ seen, byDay }: Presence, now: number): Activity | null {
  const today = Math.floor(now / DAY)
  const part = now / DAY - today
  const [usualToday, usualBefore] = [usualOn(byDay, today), usualOn(byDay, today - 1)]
  if (usualToday === null || usualBefore === null) return null
  return { seen, usual: part * usualToday + (1 - part) * usualBefore }
}

/** Days without any device are left out: the server may have been down. */
function usualOn(byDay: Presence['byDay'], day: number): number | null {
  const before = Array.from({ length: WEEKS }, (_, week) => byDay.get(day - 7 * (week + 1)) ?? 0)
  const seen = before.filter((devices) => devices > 0).sort((one, other) => one - other)
  return seen[Math.floor(seen.length / 2)] ?? null
}
