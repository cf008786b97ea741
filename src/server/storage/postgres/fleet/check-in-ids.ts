/** Ids of a day: the day times this, and a number below it. */
const IDS_OF_DAY = 2 ** 36

/** Returns the lowest id that a check-in of a UTC day (since 1970-01-01) can have. */
export function firstIdOf(day: number): number {
  return day * IDS_OF_DAY
}
