import { useSyncExternalStore } from 'react'
import type { Preferences } from '../../../shared/console/desktop/shell.ts'
import { listeners } from '../../bridge/listeners.ts'

type TimeZone = Preferences['timeZone']

/** How a moment is written. A `day` of a chart is a UTC day whatever the time zone: `formatUtcDay`. */
const STYLES = {
  /** `Mar 14, 9:26 AM` */
  short: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  /** `Mar 14, 2025, 9:26 AM` */
  shortWithYear: {
    ...{ year: 'numeric', day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit' },
  },
  /** `Mar 14, 2025, 9:26:53 AM` */
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  /** `Mar 14, 2025` */
  date: { dateStyle: 'medium' },
  /** `Mar 14` */
  day: { day: 'numeric', month: 'short' },
  /** `Sat` */
  weekday: { weekday: 'short' },
  /** `14` */
  dayOfMonth: { day: 'numeric' },
  /** `9:26:53 AM` */
  time: { timeStyle: 'medium' },
  /** `9:26 AM` */
  hour: { hour: 'numeric', minute: '2-digit' },
  /** `Sat, Mar 14, 9:26 AM` */
  dayAndHour: {
    ...{ weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit' },
  },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

export type TimeStyle = keyof typeof STYLES

type Moment = string | number | Date

let zone: TimeZone = 'local'
const { listen, tell } = listeners()
const formats = new Map<string, Intl.DateTimeFormat>()

/** Sets the time zone of all screens. */
export function setTimeZone(chosen: TimeZone): void {
  if (chosen === zone) return
  zone = chosen
  tell()
}

/** Returns the time zone of all screens, and draws the component again when it changes. */
export function useTimeZone(): TimeZone {
  return useSyncExternalStore(
    listen,
    () => zone,
    () => zone,
  )
}

/** Writes a moment in the chosen time zone, or in `inZone`. */
export function formatTime(at: Moment, style: TimeStyle, inZone: TimeZone = zone): string {
  return formatOf(style, inZone).format(new Date(at))
}

/** Writes the day of a moment in UTC: `Mar 14`. */
export function formatUtcDay(at: Moment): string {
  return formatTime(at, 'day', 'utc')
}

/** Writes a moment in the time zone that was not chosen, and names it: `2026-03-14 09:26:53 UTC`. */
export function formatElsewhere(at: string): string {
  if (zone === 'utc') return `${formatTime(at, 'exact', 'local')} (local time)`
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Returns the moment at which a day such as `2026-03-14` begins, or the one `later` days after it. */
export function startOfDay(day: string, later: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return zone === 'utc'
    ? new Date(Date.UTC(year, month - 1, date + later))
    : new Date(year, month - 1, date + later)
}

/** Tells whether a day begins in the hour that begins at a moment. */
export function isMidnight(at: Moment): boolean {
  const date = new Date(at)
  return (zone === 'utc' ? date.getUTCHours() : date.getHours()) === 0
}

/** Returns the year of a moment. */
export function yearOf(at: Moment): number {
  const date = new Date(at)
  return zone === 'utc' ? date.getUTCFullYear() : date.getFullYear()
}

/** Returns the day of a moment as `2026-03-14`. */
export function isoDay(at: Moment): string {
  const date = new Date(at)
  if (zone === 'utc') return date.toISOString().slice(0, 10)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

function formatOf(style: TimeStyle, inZone: TimeZone): Intl.DateTimeFormat {
  const name = `${style} ${inZone}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const options = inZone === 'utc' ? { ...STYLES[style], timeZone: 'UTC' } : STYLES[style]
  const format = new Intl.DateTimeFormat(undefined, options)
  formats.set(name, format)
  return format
}

const others = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')

/** The time zones of the calendar, to choose from. */
export const TIME_ZONES = ['UTC', ...others].map((zone) => ({ value: zone, label: zone }))

/** Returns the time zone of this computer. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
