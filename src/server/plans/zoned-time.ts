/** A date and a time as the clocks of a time zone show them. */
export interface LocalTime {
  /** `2026-03-29` */
  readonly date: string
  /** 0 for Sunday, as in `Date`. */
  readonly weekday: number
  /** Minutes since midnight, 0 to 1439. */
  readonly minutes: number
}

const MINUTE = 60_000
const DAY = 86_400_000
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
export function timesOf(date: string, minutes: number, timeZone: string): number[] {
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
export function endOfDay(date: string, timeZone: string): number {
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
