const plural = new Intl.PluralRules('en')
const integer = new Intl.NumberFormat('en')
const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
const size = new Intl.NumberFormat('en', oneDigit)
const share = new Intl.NumberFormat('en', { ...oneDigit, style: 'percent' })

/** Returns a count with its noun: `1 release`, `1,204 releases`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${integer.format(count)} ${plural.select(count) === 'one' ? one : many}`
}

/** Returns a share from 0 to 1 as a percentage with one digit after the point: `12.5%`. */
export function percentOf(part: number): string {
  return share.format(part)
}

/** Returns a number of bytes in powers of a thousand: `12.3 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1e6) return `${size.format(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${size.format(bytes / 1e6)} MB` : `${size.format(bytes / 1e9)} GB`
}
