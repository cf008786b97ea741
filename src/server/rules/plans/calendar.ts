import type { Freeze } from '../../../shared/plans/freeze.ts'
import type { Plan, PlanWindow } from '../../../shared/plans/plan.ts'

const DAY = 86_400_000
/** Days in which every window opens, also one of a single weekday that clocks skip once. */
const HORIZON = 15
/** In the order of `Date.getDay`. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

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

function nextWindow(windows: readonly PlanWindow[], timeZone: string, time: number) {
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

/** A date and a time as the clocks of a time zone show them. */
interface LocalTime {
  /** `2026-03-29` */
  readonly date: string
  /** 0 for Sunday, as in `Date`. */
  readonly weekday: number
  /** Minutes since midnight, 0 to 1439. */
  readonly minutes: number
}

const MINUTE = 60_000
/** Zones that are kept ready: creating a format takes a hundred times as long as using it. */
const MAX_FORMATS = 100
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns what the clocks of a time zone show at `time`, Unix time in milliseconds. */
export function localTime(time: number, timeZone: string): LocalTime {
  const shown = new Date(time + offsetAt(time, timeZone))
  return {
    date: shown.toISOString().slice(0, 10),
    weekday: shown.getUTCDay(),
    minutes: shown.getUTCHours() * 60 + shown.getUTCMinutes(),
  }
}

/**
 * Returns every time at which the clocks of a time zone show midnight of `date` plus `minutes` (0 to 1440), and every
 * time within a day of it at which they are changed, ascending. A time that clocks skip has none of its own, one that
 * they show twice has two.
 */
function timesOf(date: string, minutes: number, timeZone: string): number[] {
  const shown = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE
  const [before, after] = [shown - DAY, shown + DAY].map((time) => offsetAt(time, timeZone))
  if (before === undefined || after === undefined) return []
  const times = [...new Set([shown - before, shown - after])].filter(
    (time) => time + offsetAt(time, timeZone) === shown,
  )
  if (before !== after) times.push(changeBetween(shown - DAY, shown + DAY, timeZone))
  return [...new Set(times)].sort((one, other) => one - other)
}

/** Returns the first time at which the clocks of a time zone show a date after `date`. */
function endOfDay(date: string, timeZone: string): number {
  const end = Date.parse(`${date}T00:00:00Z`) + DAY
  const first = timesOf(date, 24 * 60, timeZone).find(
    (time) => localTime(time, timeZone).date > date,
  )
  // Of a zone that skipped the day: no clock is more than 15 hours from UTC.
  return first ?? end + 15 * 60 * MINUTE
}

/** The first time of another offset than at `from`, if that of `until` differs. Offsets change on full minutes. */
function changeBetween(from: number, until: number, timeZone: string): number {
  const offset = offsetAt(from, timeZone)
  let [low, high] = [Math.floor(from / MINUTE), Math.ceil(until / MINUTE)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * MINUTE, timeZone) === offset) low = middle
    else high = middle
  }
  return high * MINUTE
}

/** Milliseconds that the clocks of a time zone are ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(time)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const shown = Date.UTC(year, month - 1, day, hour, minute, second)
  return shown - Math.floor(time / 1_000) * 1_000
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  if (formats.size >= MAX_FORMATS) formats.clear()
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  formats.set(timeZone, format)
  return format
}
