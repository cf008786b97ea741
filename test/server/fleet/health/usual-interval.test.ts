import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FIRST_INTERVAL,
  nextInterval,
  silentFrom,
} from '../../../../src/server/fleet/health/usual-interval.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5) / 1_000

/** When a device with a habit checks in over eight weeks, in Unix seconds. */
type Habit = (random: () => number) => number[]

function each(step: number, isUp: (day: number, hour: number) => boolean): Habit {
  return (random) => {
    const times: number[] = []
    for (let at = MONDAY; at < MONDAY + 56 * DAY; at += step) {
      const since = at - MONDAY
      if (!isUp(Math.floor(since / DAY) % 7, (since % DAY) / HOUR)) continue
      times.push(Math.floor(at + random() * Math.min(step / 4, HOUR)))
    }
    return times
  }
}

const HABITS = {
  'always on, every hour': each(HOUR, () => true),
  'always on, every 5 minutes': each(HOUR / 12, () => true),
  'every hour, on workdays from 9 to 18': each(
    HOUR,
    (day, hour) => day < 5 && hour >= 9 && hour < 18,
  ),
  'every 5 minutes, on workdays from 9 to 18': each(
    HOUR / 12,
    (day, hour) => day < 5 && hour >= 9 && hour < 18,
  ),
  'once a workday': each(DAY, (day) => day < 5),
  'once a day': each(DAY, () => true),
  'on Mondays': each(7 * DAY, () => true),
  'every two weeks': each(14 * DAY, () => true),
} as const satisfies Record<string, Habit>

/** Seconds by which a device was silent between its visits, at the worst, after `settled` seconds. */
function longestSilence(times: readonly number[], settled: number): number {
  let [usual, worst] = [FIRST_INTERVAL, 0]
  for (const [index, at] of times.entries()) {
    const last = times[index - 1]
    if (last === undefined) continue
    const due = silentFrom(last * 1_000, usual) * HOUR
    if (last - MONDAY >= settled) worst = Math.max(worst, at - due)
    usual = nextInterval(usual, at - last)
  }
  return worst
}

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 })

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test.each(Object.entries(HABITS))(
  'a device that is %s is not silent between visits',
  (name, habit) => {
    // Of a device that comes so rarely, the habit must be seen first.
    const settled = /Monday|weeks/.test(name) ? 29 * DAY : 0
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(longestSilence(habit(random(seed)), settled)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 20 },
    )
  },
)

test.each(Object.entries(HABITS))(
  'one that was %s is silent soon after it is gone',
  (_name, habit) => {
    const times = habit(random(1))
    let usual = FIRST_INTERVAL
    for (const [index, at] of times.entries()) {
      if (index > 0) usual = nextInterval(usual, at - (times[index - 1] ?? at))
    }
    const longest = Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
    const last = times.at(-1) ?? 0
    const silentAfter = silentFrom(last * 1_000, usual) * HOUR - last
    expect(silentAfter).toBeGreaterThanOrEqual(48 * HOUR)
    expect(silentAfter).toBeLessThanOrEqual(Math.max(49 * HOUR, 3 * longest + HOUR))
  },
)

test('the usual interval stays between its bounds', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400 * DAY }), { maxLength: 200 })
  fc.assert(
    fc.property(gaps, (drawn) => {
      let usual = FIRST_INTERVAL
      for (const gap of drawn) {
        usual = nextInterval(usual, gap)
        expect(Number.isInteger(usual) && usual >= 60 && usual <= 30 * DAY).toBe(true)
      }
    }),
    { numRuns: 50 },
  )
})
