const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size for people, in powers of a thousand: `12.3 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1_000
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}
