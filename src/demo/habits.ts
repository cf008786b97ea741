import { days } from '../server/fleet/time.ts'
import type { Period } from './calendar.ts'
import type { Random } from './random.ts'
import type { RhythmShare } from './story/story.ts'

const HOUR = 3_600_000
const WEEK_HOURS = 168
/** 1970-01-01 was a Thursday; weeks count from Monday here. */
const FIRST_HOUR = 72

type RhythmName = RhythmShare['name']

/** How likely a device is in use, 0 to 1, for each hour of the local week from Monday 00:00. */
interface Rhythm {
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
function rhythmNamed(name: RhythmName): Rhythm {
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

/** How the person before a device, or the computer itself, goes about its days. */
export interface Habits {
  readonly rhythm: Rhythm
  /** Hours east of UTC. */
  readonly zone: number
  readonly checksPerDay: number
  /** Offers that are skipped before one is installed. */
  readonly patience: number
  /** When the device comes, and when it is gone for good. Unix milliseconds. */
  readonly comes: number
  readonly leaves: number
  /** When it is switched off for days. */
  readonly away: readonly Period[]
}

const PACES = {
  office: { checksPerDay: [2, 5] },
  home: { checksPerDay: [1, 3] },
  always: { checksPerDay: [5, 10] },
} as const satisfies Record<RhythmName, unknown>

/** How many offers are skipped: most install soon, some after weeks, a few never. */
const PATIENCE = [
  { weight: 46, from: 0, to: 1 },
  { weight: 32, from: 1, to: 5 },
  { weight: 15, from: 5, to: 25 },
  { weight: 5, from: 25, to: 90 },
  { weight: 2, from: 10_000, to: 10_001 },
] as const

const THERE_FROM_THE_START = 0.7
const LEAVES = 0.09
/** Everyone is there once the studio has set up its apps. */
const SETUP = 3_600_000

/** Draws the habits of a device in a period. `zone`: hours east of UTC. */
export function drawHabits(
  random: Random,
  name: RhythmName,
  zone: number,
  { start, end }: Period,
): Habits {
  const [least, most] = PACES[name].checksPerDay
  const patience = random.pick(PATIENCE)
  const opens = start + SETUP
  const comes = random.chance(THERE_FROM_THE_START) ? opens : random.between(opens, end)
  return {
    rhythm: rhythmNamed(name),
    zone,
    checksPerDay: random.between(least, most),
    patience: patience.from + random.below(patience.to - patience.from),
    comes,
    leaves: random.chance(LEAVES) ? random.between(comes, end) : Number.POSITIVE_INFINITY,
    away: drawAbsences(random, name, { start, end }),
  }
}

/**
 * Returns when the device checks in next after a time, in Unix milliseconds, regardless of `leaves`. It is in use with a
 * likelihood of at least `quietest`, 0 to 1, at any hour.
 */
export function nextCheckIn(random: Random, habits: Habits, after: number, quietest = 0): number {
  const { rhythm, zone, checksPerDay, away } = habits
  // Candidates come as often as in the busiest hour; a quieter hour lets fewer of them pass.
  const gap = (days(1) * rhythm.mean) / checksPerDay
  let at = after
  for (;;) {
    at += random.wait(gap)
    const absence = away.find(({ start, end }) => at >= start && at < end)
    if (absence !== undefined) at = absence.end
    else if (random.chance(Math.max(quietest, activityAt(rhythm, zone, at)))) return Math.ceil(at)
  }
}

/** Whether the device has come, has not gone, and is not switched off for days. */
export function isThere({ comes, leaves, away }: Habits, at: number): boolean {
  if (at < comes || at >= leaves) return false
  return !away.some(({ start, end }) => at >= start && at < end)
}

function drawAbsences(random: Random, name: RhythmName, { start, end }: Period): Period[] {
  const [share, longest] = name === 'always' ? [0.1, 40] : [0.5, 21]
  const absences: Period[] = []
  while (random.chance(share)) {
    const begins = random.between(start, end)
    absences.push({ start: begins, end: begins + days(random.between(3, longest)) })
  }
  return absences
}
