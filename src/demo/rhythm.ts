import type { RhythmShare } from './story/story.ts'

const HOUR = 3_600_000
const WEEK_HOURS = 168
/** 1970-01-01 was a Thursday; weeks count from Monday here. */
const FIRST_HOUR = 72

export type RhythmName = RhythmShare['name']

/** How likely a device is in use, 0 to 1, for each hour of the local week from Monday 00:00. */
export interface Rhythm {
  readonly activity: readonly number[]
  /** Mean over the week. */
  readonly mean: number
}

// Hour by hour from midnight, in tenths.
const OFFICE_DAY = [0, 0, 0, 0, 0, 0, 1, 3, 8, 10, 10, 9, 6, 8, 10, 9, 8, 6, 3, 2, 1, 1, 0.5, 0]
const OFFICE_WEEKEND = OFFICE_DAY.map((tenths) => tenths * 0.1)
const HOME_DAY = [1, 0.3, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 2, 2, 3, 4, 6, 8, 10, 10, 9, 6, 3]
const HOME_WEEKEND = [2, 1, 0.3, 0, 0, 0, 0, 1, 3, 6, 8, 8, 7, 7, 8, 8, 8, 8, 9, 10, 10, 9, 7, 4]
const SERVER_DAY = [6, 6, 9, 10, 9, 6, 6, 6, 7, 8, 8, 8, 8, 8, 8, 8, 8, 7, 7, 6, 6, 6, 6, 6]

const RHYTHMS: { readonly [Name in RhythmName]: Rhythm } = {
  office: rhythm(OFFICE_DAY, OFFICE_WEEKEND),
  home: rhythm(HOME_DAY, HOME_WEEKEND),
  always: rhythm(SERVER_DAY, SERVER_DAY),
}

/** Returns the rhythm of that name. */
export function rhythmNamed(name: RhythmName): Rhythm {
  return RHYTHMS[name]
}

/** How likely a device is in use at a time (Unix milliseconds), 0 to 1. `zone`: hours east of UTC. */
export function activityAt({ activity }: Rhythm, zone: number, at: number): number {
  const hour = Math.floor(at / HOUR) + zone + FIRST_HOUR
  return activity[hour % WEEK_HOURS] ?? 0
}

function rhythm(day: readonly number[], weekend: readonly number[]): Rhythm {
  const tenths = [day, day, day, day, day, weekend, weekend].flat()
  const activity = tenths.map((value) => value / 10)
  return { activity, mean: activity.reduce((sum, value) => sum + value, 0) / WEEK_HOURS }
}
