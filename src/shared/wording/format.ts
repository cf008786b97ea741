const plural = new Intl.PluralRules('en')
const integer = new Intl.NumberFormat('en')
const size = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const share = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Returns a count with its noun: `1 release`, `1,204 releases`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${integer.format(count)} ${plural.select(count) === 'one' ? one : many}`
}

/** Returns a share from 0 to 1 as a percentage with one digit after the point: `12.5%`. */
export function percentOf(part: number): string {
  return share.format(part)
}

/** Returns a number of bytes in megabytes: `12.3 MB`. */
export function megabytes(bytes: number): string {
  return `${size.format(bytes / 1_000_000)} MB`
}
