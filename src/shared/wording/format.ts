const count = new Intl.NumberFormat()

/** A number of things, grouped as this machine's language does. */
export function formatCount(value: number): string {
  return count.format(value)
}

/** A count with its noun: `1 device`, `1,204 devices`. */
export function formatCounted(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

/** A whole percentage, such as a rollout's. */
export function formatPercent(value: number): string {
  return `${value} %`
}

/** A share from 0 to 1 as a percentage; never `0 %` or `100 %` for what is not quite that. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  if (share > 0 && share < 0.01) return '< 1 %'
  if (share < 1 && share > 0.99) return '> 99 %'
  return `${Math.round(share * 100)} %`
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
  return `${value.toFixed(digits)} ${SIZE_UNITS[unit]}`
}
