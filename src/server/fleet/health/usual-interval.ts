const MINUTE = 60
const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * Seconds assumed for a device that was seen once. After a week of frequent checks during working hours, three usual
 * intervals are still longer than a weekend.
 */
export const FIRST_INTERVAL = 32 * HOUR
const LONGEST = 30 * DAY
/** Seconds in which a habit is learned: a gap of this length counts 63%. */
const MEMORY = 14 * DAY
/** Usual intervals, and seconds at least, after which a device that was offered a release is silent. */
export const SILENT_INTERVALS = 3
export const SILENT_AFTER = 48 * HOUR

/**
 * Returns a device's usual interval after a gap between two check-ins, both in whole seconds. It is the mean gap,
 * weighted by length, so that nights and weekends count for as long as they take, however often the device checks in
 * between them. Gaps under a minute belong to one visit. At most 30 days.
 */
export function nextInterval(usual: number, gap: number): number {
  if (gap < MINUTE) return usual
  const seen = Math.min(gap, LONGEST)
  return Math.round(usual - (seen - usual) * Math.expm1(-seen / MEMORY))
}

/**
 * Returns the hour (since 1970-01-01 UTC) from which a waiting device is silent that was last seen at `lastSeen` (Unix
 * ms), never early.
 */
export function silentFrom(lastSeen: number, usual: number): number {
  const after = Math.max(SILENT_AFTER, SILENT_INTERVALS * usual)
  return Math.ceil((lastSeen / 1_000 + after) / HOUR)
}
