import type { Chance } from './random.ts'

export const DAY = 24
export const WEEK = 7 * DAY

/** How a device is used. */
export type Habit = 'always' | 'office' | 'laptop' | 'daily' | 'weekly' | 'rare'

/** Hours since Monday 00:00 UTC of the first week. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What keeps people from their devices. */
export interface Calendar {
  /** Days off for everybody: a long weekend, a week at the end of the year. */
  readonly holidays: Span[]
}

/** What a device does, as far as its check-ins depend on it. */
export interface Routine {
  readonly habit: Habit
  /** Hours between the checks of a running app. */
  readonly interval: number
  /** Hours to local time. */
  readonly zone: number
  /** The hour of the day, or the hours between uses, that the habit is about. */
  readonly usual: number
  /** Share of its uses in which the app is started, and not woken up. */
  readonly starts: number
  readonly vacations: readonly Span[]
}

/** A stretch of time in which the app runs. */
export interface Session extends Span {
  /** The app was started, and not only woken up. */
  readonly isStart: boolean
}

/** Returns the next session of a device that begins after `at`. */
export function nextSession(
  routine: Routine,
  at: number,
  calendar: Calendar,
  chance: Chance,
): Session {
  let after = at
  for (;;) {
    const session = draw(routine, after, chance)
    const isStart = chance.is(routine.starts)
    if (!isAway(routine, session.from, calendar, chance)) return { ...session, isStart }
    after = Math.max(session.from, after + 1)
  }
}

function isAway({ habit, vacations }: Routine, at: number, { holidays }: Calendar, chance: Chance) {
  if (habit === 'always') return false
  if (vacations.some(({ from, to }) => from <= at && at < to)) return true
  const atWork = habit === 'office' || habit === 'daily'
  return holidays.some(({ from, to }) => from <= at && at < to) && chance.is(atWork ? 0.97 : 0.5)
}

function draw({ habit, zone, usual }: Routine, after: number, chance: Chance): Span {
  switch (habit) {
    case 'always': {
      const from = after + chance.between(0.02, 0.2)
      return { from, to: from + chance.exponential(usual) }
    }
    case 'office': {
      for (let day = dayOf(after, zone); ; day += 1) {
        const from = day * DAY + chance.normal(usual, 0.5) - zone
        const isOff = day % 7 > 4 ? !chance.is(0.03) : chance.is(0.04)
        if (from > after && !isOff) return { from, to: from + chance.normal(8.5, 1) }
      }
    }
    case 'daily': {
      for (let day = dayOf(after, zone); ; day += 1) {
        const from = day * DAY + chance.normal(usual, 1.5) - zone
        if (from > after && chance.is(0.85)) return { from, to: from + chance.between(0.1, 1) }
      }
    }
    case 'laptop': {
      // At home: from the morning to late in the evening, every day of the week.
      for (let wait = after; ; ) {
        wait += chance.exponential(usual)
        const hour = (((wait + zone) % DAY) + DAY) % DAY
        if (hour > 8 && hour < 23) return { from: wait, to: wait + chance.between(0.2, 4) }
      }
    }
    case 'weekly':
    case 'rare': {
      const from =
        after + (habit === 'weekly' ? chance.normal(usual, 20) : chance.exponential(usual))
      return { from: Math.max(after + 1, from), to: Math.max(after + 1, from) + 0.5 }
    }
  }
}

function dayOf(at: number, zone: number): number {
  return Math.floor((at + zone) / DAY)
}
