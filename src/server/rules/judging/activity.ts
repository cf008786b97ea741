import type { Activity } from './counted.ts'

const DAY = 86_400_000
/** Weeks that a day is compared with. */
const WEEKS = 4
/** Days before today that may be why devices are silent: who has a holiday is back later. */
const DAYS = 4
/** Days before today of which `activityOf` asks how many devices were seen. */
export const KNOWN_DAYS = 7 * WEEKS + DAYS

export interface Presence {
  /** Devices seen in the last 24 hours. */
  readonly seen: number
  /** Devices seen on a day, by days since 1970-01-01 UTC. */
  readonly byDay: ReadonlyMap<number, number>
}

/**
 * Returns how many devices were seen in the 24 hours before `at` (Unix time in milliseconds), and how many usually are at
 * that time of the week: the medians of the same days of four weeks, in proportion to the hours of either day; or the same of one of
 * the days before, if fewer of the usual ones were seen on it. null if no such day is known.
 */
export function activityOf({ seen, byDay }: Presence, at: number): Activity | null {
  const today = Math.floor(at / DAY)
  const part = at / DAY - today
  const [usualToday, usualBefore] = [usualOn(byDay, today), usualOn(byDay, today - 1)]
  if (usualToday === null || usualBefore === null) return null
  const now = { seen, usual: part * usualToday + (1 - part) * usualBefore }
  const before = Array.from({ length: DAYS }, (_, back): Activity => {
    const day = today - 1 - back
    return { seen: byDay.get(day) ?? 0, usual: usualOn(byDay, day) ?? 0 }
  })
  return before.reduce((least, each) => (shareOf(each) < shareOf(least) ? each : least), now)
}

/** Days without any device are left out here, too. */
function shareOf({ seen, usual }: Activity): number {
  return seen === 0 || usual === 0 ? 1 : seen / usual
}

/** Days without any device are left out: the server may have been down. */
function usualOn(byDay: Presence['byDay'], day: number): number | null {
  const before = Array.from({ length: WEEKS }, (_, week) => byDay.get(day - 7 * (week + 1)) ?? 0)
  const seen = before.filter((devices) => devices > 0).sort((one, other) => one - other)
  return seen[Math.floor(seen.length / 2)] ?? null
}
