import { type Calendar, DAY, type Habit, type Routine, type Span, WEEK } from './habits.ts'
import type { Chance } from './random.ts'

/** How the people of a fleet treat updates, and their devices. */
export interface Fleet {
  readonly devices: number
  readonly calendar: Calendar
  /** Hours between the checks of a running app. */
  readonly interval: number
  readonly habits: readonly (readonly [weight: number, habit: Habit])[]
  /** Shares of installations by when they happen; the rest at once. */
  readonly postponed: number
  readonly atNextStart: number
  /** Share of devices that are put away for good in a week, and as many new ones come. */
  readonly turnover: number
}

/** Draws a fleet of 50 to 5,000 devices, unlike every other. `hours` is for how long it is watched. */
export function drawFleet(chance: Chance, hours: number): Fleet {
  const office = chance.between(0.1, 0.7)
  return {
    devices: chance.magnitude(50, 5_000),
    calendar: { holidays: drawHolidays(chance, hours) },
    interval: chance.pick([
      [3, 1],
      [4, 4],
      [2, 6],
      [1, 24],
    ]),
    habits: [
      [office, 'office'],
      [chance.between(0.02, 0.3), 'always'],
      [chance.between(0.1, 0.4), 'laptop'],
      [chance.between(0.05, 0.2), 'daily'],
      [chance.between(0.02, 0.12), 'weekly'],
      [chance.between(0, 0.05), 'rare'],
    ],
    postponed: chance.between(0, 0.12),
    atNextStart: chance.between(0.1, 0.6),
    turnover: chance.between(0, 0.01),
  }
}

/** Half of all fleets have a long weekend, one in ten a week off. */
function drawHolidays(chance: Chance, hours: number): Span[] {
  const weeks = Math.floor(hours / WEEK)
  const holidays: Span[] = []
  const draw = (first: number, days: number) => {
    const from = Math.floor(chance.share() * weeks) * WEEK + first * DAY
    holidays.push({ from, to: from + days * DAY })
  }
  // A Friday or a Monday, and the weekend beside it.
  if (chance.is(0.5)) draw(chance.is(0.5) ? 4 : 0, 1)
  if (chance.is(0.2)) draw(chance.is(0.5) ? 3 : 0, 2)
  if (chance.is(0.1)) draw(0, 7)
  return holidays
}

/** Draws the routine of a device of a fleet. */
export function drawRoutine(fleet: Fleet, chance: Chance, hours: number): Routine {
  const habit = chance.pick(fleet.habits)
  const vacations: Span[] = []
  // Five weeks a year, mostly one or two at a time.
  for (let week = 0; week < hours / WEEK; week += 1) {
    if (!chance.is(0.06)) continue
    const from = week * WEEK + Math.floor(chance.between(0, 5)) * DAY
    vacations.push({ from, to: from + chance.between(3, 16) * DAY })
  }
  return {
    habit,
    vacations,
    interval: fleet.interval,
    zone: chance.pick([
      [5, 1],
      [2, -5],
      [1, -8],
      [1, 8],
    ]),
    usual: usualOf(habit, chance),
    starts: habit === 'daily' || habit === 'weekly' ? 0.9 : chance.between(0.2, 1),
  }
}

function usualOf(habit: Habit, chance: Chance): number {
  switch (habit) {
    case 'always':
      return chance.between(2, 20) * DAY
    case 'office':
      return chance.between(7.5, 10)
    case 'daily':
      return chance.between(7, 22)
    case 'laptop':
      return chance.between(4, 40)
    case 'weekly':
      return WEEK
    case 'rare':
      return 3 * WEEK
  }
}
