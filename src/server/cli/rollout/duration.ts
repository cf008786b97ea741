import { InvalidArgumentError } from 'commander'
import { text } from '../strings/rollout.ts'

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
/** Seconds of the longest duration: 30 days, which fit a timer. */
const LONGEST = 30 * 86_400

/** Reads a duration such as `90s`, `30m`, `2h` or `1d`, as seconds from 1 second to 30 days. */
export function duration(typed: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(typed) ?? []
  const seconds = Number(amount) * (SECONDS[unit] ?? 0)
  if (seconds >= 1 && seconds <= LONGEST) return seconds
  throw new InvalidArgumentError(text.durationForm)
}
