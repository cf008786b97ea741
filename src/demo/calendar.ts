import { days } from '../server/fleet/time.ts'

const HOUR = 3_600_000
const OPENS = 7.5 * HOUR
const CLOSES = 16.5 * HOUR

/** A stretch of time, from `start` to before `end`. Unix milliseconds. */
export interface Period {
  readonly start: number
  readonly end: number
}

/**
 * The studio's working time in a period, as a function from 0 (the start of the period) to 100 (the
 * end of the last whole working day) that never goes back: rollouts are not raised on Sundays.
 * Throws a RangeError when there is no whole working day in the period.
 */
export function workingTime({ start, end }: Period): (position: number) => number {
  const mornings: number[] = []
  for (let midnight = Math.ceil(start / days(1)) * days(1); midnight < end; midnight += days(1)) {
    const weekday = new Date(midnight).getUTCDay()
    if (weekday !== 0 && weekday !== 6 && midnight + CLOSES <= end) mornings.push(midnight + OPENS)
  }
  if (mornings.length === 0) throw new RangeError('the period has no working day')
  return (position) => {
    if (position <= 0) return start
    const passed = (Math.min(position, 100) / 100) * mornings.length
    const index = Math.min(Math.floor(passed), mornings.length - 1)
    return Math.floor((mornings[index] ?? start) + (passed - index) * (CLOSES - OPENS))
  }
}
