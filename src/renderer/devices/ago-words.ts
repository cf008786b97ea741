const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = new Intl.RelativeTimeFormat(undefined, { style: 'long', numeric: 'always' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** `just now`, `5 minutes ago`, `3 days ago`; the date where it is longer than 30 days ago. */
export function agoInWords(at: number, now: number): string {
  const passed = now - at
  // The clocks of two processes may differ a little.
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return relative.format(-Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return relative.format(-Math.floor(passed / HOUR), 'hour')
  if (passed <= 30 * DAY) return relative.format(-Math.floor(passed / DAY), 'day')
  return date.format(at)
}
