import type { Freeze } from '../../shared/freeze.ts'
import type { Plan, PlanWindow } from '../../shared/plan.ts'
import { endOfDay, localTime, timesOf } from './zoned-time.ts'

const DAY = 86_400_000
/** Days in which every window opens, also one of a single weekday that clocks skip once. */
const HORIZON = 15
/** In the order of `Date.getDay`. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** When a plan may apply a step. */
export interface Opening {
  /** Unix time in milliseconds, the same as asked for if it may now; null for never. */
  readonly at: number | null
  /** What keeps it from applying a step at the time that was asked for. */
  readonly closedBy: 'window' | 'freeze' | null
}

/** Returns the first time from `time` on that is within a window of the plan, if it has any, and in no freeze. */
export function nextOpening(
  { windows: given, timeZone }: Pick<Plan, 'windows' | 'timeZone'>,
  freezes: readonly Freeze[],
  time: number,
): Opening {
  const windows = given.flatMap(splitAtMidnight)
  let at = time
  let closedBy: Opening['closedBy'] = null
  // Each freeze ends once; each of them, and the start, is followed by at most one wait for a window.
  for (let turn = 0; turn <= 2 * (freezes.length + 1); turn++) {
    const frozenUntil = endOfFreeze(freezes, at)
    if (frozenUntil !== undefined) {
      closedBy ??= 'freeze'
      at = frozenUntil
    } else if (isWithin(windows, timeZone, at)) return { at, closedBy }
    else {
      closedBy ??= 'window'
      const opens = nextWindow(windows, timeZone, at)
      if (opens === undefined) return { at: null, closedBy }
      at = opens
    }
  }
  return { at: null, closedBy }
}

/** Returns the parts of a window on one day each: that it lasts into the next day is said by a `to` before `from`. */
function splitAtMidnight({ days, from, to }: PlanWindow): PlanWindow[] {
  if (from < to) return [{ days, from, to }]
  const next = days.map((day) => WEEKDAYS[(WEEKDAYS.indexOf(day) + 1) % WEEKDAYS.length] ?? day)
  return [
    { days, from, to: '24:00' },
    { days: next, from: '00:00', to },
  ]
}

/** Returns when the freezes that hold at a time end; undefined if none does. */
function endOfFreeze(freezes: readonly Freeze[], time: number): number | undefined {
  const ends = freezes.flatMap(({ firstDay, lastDay, timeZone }) => {
    const { date } = localTime(time, timeZone)
    return firstDay <= date && date <= lastDay ? [endOfDay(lastDay, timeZone)] : []
  })
  return ends.length === 0 ? undefined : Math.max(...ends)
}

function isWithin(windows: readonly PlanWindow[], timeZone: string, time: number): boolean {
  if (windows.length === 0) return true
  const { weekday, minutes } = localTime(time, timeZone)
  return windows.some(
    ({ days, from, to }) =>
      isOn(days, weekday) && minutesOf(from) <= minutes && minutes < minutesOf(to),
  )
}

function nextWindow(
  windows: readonly PlanWindow[],
  timeZone: string,
  time: number,
): number | undefined {
  const today = Date.parse(`${localTime(time, timeZone).date}T00:00:00Z`)
  for (let day = 0; day < HORIZON; day++) {
    const midnight = new Date(today + day * DAY)
    const date = midnight.toISOString().slice(0, 10)
    // A change of clocks can open a window as well.
    const openings = windows
      .filter(({ days }) => isOn(days, midnight.getUTCDay()))
      .flatMap(({ from }) => timesOf(date, minutesOf(from), timeZone))
      .filter((opens) => opens > time && localTime(opens, timeZone).date === date)
      .filter((opens) => isWithin(windows, timeZone, opens))
    if (openings.length > 0) return Math.min(...openings)
  }
  return undefined
}

function isOn(days: PlanWindow['days'], weekday: number): boolean {
  return days.some((day) => day === WEEKDAYS[weekday])
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
