/** The language of the interface: plurals, units and percentages belong to its sentences. */
const LANGUAGE = 'en'

/** Keeps what is made for a key: a formatter takes milliseconds to make, at the start of a program and in every cell of a table. */
function kept<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** Numbers as this computer's language writes them, with so many digits after the point, or as many as they have. */
const numbers = kept((digits: number | undefined) => {
  return new Intl.NumberFormat(undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
})
const plurals = kept((language: string) => new Intl.PluralRules(language))

/** A number of things, grouped as this computer's language does. */
export function formatCount(value: number): string {
  return numbers(undefined).format(value)
}

/** A count with its noun: `1 device`, `1,204 devices`. */
export function formatCounted(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${plurals(LANGUAGE).select(value) === 'one' ? one : many}`
}

const percentages = kept((digits: number) => {
  return new Intl.NumberFormat(LANGUAGE, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
})

/** A percentage, such as a rollout's, with as many digits after the point as asked for: `25%`. */
export function formatPercent(value: number, digits = 0): string {
  return percentages(digits).format(value / 100)
}

/** A share from 0 to 1 as a percentage; never `0%` or `100%` for what is not quite that. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  if (share > 0 && share < 0.01) return `< ${formatPercent(1)}`
  if (share < 1 && share > 0.99) return `> ${formatPercent(99)}`
  return formatPercent(share * 100)
}

const lists = kept((type: 'conjunction' | 'disjunction') => new Intl.ListFormat(LANGUAGE, { type }))

/** Parts of a sentence: `a`, `a and b`, `a, b, and c`; with `or`, the alternatives of a choice. */
export function formatList(parts: readonly string[], last: 'and' | 'or' = 'and'): string {
  return lists(last === 'and' ? 'conjunction' : 'disjunction').format(parts)
}

export type TimeUnit = 'millisecond' | 'second' | 'minute' | 'hour' | 'day'

const durations = kept((unit: TimeUnit) =>
  kept((digits: number) => {
    return new Intl.NumberFormat(LANGUAGE, {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: digits,
    })
  }),
)

/** A length of time in one unit: `24 hours`, `7 days`, `0.4 seconds`. */
export function formatDuration(value: number, unit: TimeUnit, digits = 0): string {
  return durations(unit)(digits).format(value)
}

/** How long something short took: `12 milliseconds`, `1.5 seconds`. Less than a millisecond counts as one. */
export function formatElapsed(milliseconds: number): string {
  const whole = Math.max(1, Math.round(milliseconds))
  return whole < 1_000
    ? formatDuration(whole, 'millisecond')
    : formatDuration(milliseconds / 1_000, 'second', 1)
}

/** A time span in the largest unit of which it is at least one and a half: `40 minutes`, `1.6 days`. */
export function formatSpan(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, each]) => seconds >= 1.5 * each) ?? (['second', 1] as const)
  return formatDuration(seconds / length, unit, unit === 'second' ? 0 : 1)
}

const ages = kept(
  (language: string) => new Intl.RelativeTimeFormat(language, { numeric: 'always' }),
)

/** A time in the past, in whole units: `5 minutes ago`, `1 day ago`. */
export function formatAgo(value: number, unit: Exclude<TimeUnit, 'millisecond'>): string {
  return ages(LANGUAGE).format(-value, unit)
}

const SIZE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size for people, in powers of a thousand as file managers count: `12.3 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.95 && unit < SIZE_UNITS.length - 1) {
    value /= 1_000
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${numbers(digits).format(value)} ${SIZE_UNITS[unit]}`
}
