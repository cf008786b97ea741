import type { PlanCalendar } from '../../../shared/console/releases/plans.ts'
import type { Freeze } from '../../../shared/plans/freeze.ts'
import { WEEKDAYS } from '../../../shared/plans/plan.ts'
import { isoDay, startOfDay } from '../../components/text/time.ts'

/** Days that the calendar shows at once. */
const SHOWN_DAYS = 14
const DAY = 86_400_000
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3

export type PlanOnCalendar = PlanCalendar['plans'][number]

/** What a plan does on a day. */
interface PlanDay {
  /** Steps that are applied on it, from 0. */
  readonly steps: readonly number[]
  readonly isFinished: boolean
  /** Whether none of its windows opens on it. */
  readonly isClosed: boolean
}

/** Returns days such as `2026-03-14` from the Monday before `today`, so many pages of them later. */
export function daysFrom(today: string, page: number): string[] {
  const monday = dayNumber(today) - weekdayOf(today)
  const first = monday + page * SHOWN_DAYS
  return Array.from({ length: SHOWN_DAYS }, (_, index) => dayText(first + index))
}

/** Returns what a plan does on a day of the chosen time zone. */
export function planOn({ state, forecast }: PlanOnCalendar, day: string): PlanDay {
  const steps = forecast?.steps.filter(({ at }) => at !== null && isoDay(at) === day) ?? []
  const { windows } = state.plan
  const weekday = WEEKDAYS[weekdayOf(day)] ?? 'mon'
  const finished = forecast?.finished ?? null
  return {
    steps: steps.map(({ step }) => step),
    isFinished: finished !== null && isoDay(finished) === day,
    isClosed: windows.length > 0 && !windows.some(({ days }) => days.includes(weekday)),
  }
}

/** Returns the freezes that hold on a day, each by the days of its own time zone. */
export function freezesOn(freezes: readonly Freeze[], day: string): Freeze[] {
  return freezes.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
}

/** Returns noon of a day: as a moment, it is on that day whatever the clocks do. */
export function noonOf(day: string): number {
  return startOfDay(day, 0).getTime() + DAY / 2
}

function weekdayOf(day: string): number {
  return (dayNumber(day) + FIRST_WEEKDAY) % 7
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY
}

function dayText(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10)
}
