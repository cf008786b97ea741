import { describe, expect, test } from 'vitest'
import { activityOf } from '../../../../src/server/rules/judging/activity.ts'
import type { Control } from '../../../../src/server/rules/judging/control.ts'
import type { Observed } from '../../../../src/server/rules/judging/counted.ts'
import {
  type Evidence,
  gatedHealth,
  judge,
  wilsonInterval,
  Z95,
} from '../../../../src/server/rules/judging/judge.ts'
import { NO_HEALTH, type ReleaseHealth } from '../../../../src/shared/health/health.ts'

const observed = (
  health: Partial<ReleaseHealth>,
  { recovered = 0, slow = 0, late = 0 }: Partial<Observed> = {},
): Observed => ({ health: { ...NO_HEALTH, ...health }, recovered, slow, late })

const judged = (health: Partial<ReleaseHealth>, members: Partial<Evidence> = {}) =>
  judge({
    ...{ observed: observed(health), accepted: null, previous: null },
    ...{ control: null, activity: null },
    limits: { maxFailedPct: 5, minSample: 20 },
    ...members,
  })

test('the upper bound of the interval mirrors the lower one', () => {
  for (const [count, sample] of [
    [0, 0],
    [0, 20],
    [3, 20],
    [40, 500],
    [20, 20],
  ] as const) {
    const { high } = wilsonInterval(count, sample, Z95)
    expect(high).toBeCloseTo(1 - wilsonInterval(sample - count, sample, Z95).low, 6)
  }
})

describe('the threshold', () => {
  test('needs a sample', () => {
    expect(judged({ reported: 19 })).toEqual({ verdict: 'not_enough' })
    expect(judged({ reported: 20 })).toMatchObject({ verdict: 'stop' })
    expect(judged({ offered: 900, waiting: 900 })).toEqual({ verdict: 'not_enough' })
  })

  test('is passed by the lower bound, and the numbers are those that it was passed with', () => {
    expect(judged({ adopted: 459, reverted: 41 })).toEqual({ verdict: 'suspected' })
    expect(judged({ adopted: 456, reverted: 44 })).toEqual({
      verdict: 'stop',
      reasons: [
        {
          ...{ code: 'too_many_failures', failed: 44, judged: 500, stuck: 0 },
          ...{ failedPct: 5.4, highPct: 15.48, limitPct: 5, usualPct: 0 },
        },
      ],
    })
  })

  test('counts stuck, reverted, reported and silent devices together', () => {
    const together = { adopted: 440, stuck: 15, reverted: 15, silent: 15, reported: 15 }
    expect(judged(together)).toMatchObject({ reasons: [{ failed: 60, judged: 500, stuck: 15 }] })
  })

  test('is not passed by a handful of devices, nor as easily by few as by many', () => {
    expect(judged({ adopted: 16, reported: 4 })).toEqual({ verdict: 'suspected' })
    expect(judged({ adopted: 35, reported: 5 })).toEqual({ verdict: 'suspected' })
    expect(judged({ adopted: 350, reported: 50 })).toMatchObject({ verdict: 'stop' })
  })
})

describe('stuck devices', () => {
  test('are fewer than usual where people update late: by the release before', () => {
    const late = { adopted: 450, stuck: 50 }
    expect(judged(late)).toMatchObject({ verdict: 'stop' })
    const previous = observed({ adopted: 990, stuck: 10 }, { recovered: 70 })
    expect(judged(late, { previous })).toEqual({ verdict: 'fine' })
    expect(judged({ adopted: 400, stuck: 100 }, { previous })).toMatchObject({
      reasons: [
        {
          ...{ code: 'too_many_failures', usualPct: 8, limitPct: 13 },
          previous: { failed: 10, judged: 1_000, lowPct: 0.32, highPct: 2.33 },
        },
      ],
    })
  })

  test('or, without one, by how many adopted this one late', () => {
    const health = { adopted: 450, stuck: 50 }
    const slow = observed(health, { slow: 50 })
    expect(judged(health, { observed: slow })).toEqual({ verdict: 'fine' })
  })

  test('do not excuse other failures', () => {
    const previous = observed({ adopted: 800, stuck: 200 }, { recovered: 200 })
    expect(judged({ adopted: 400, stuck: 50, reported: 50 }, { previous })).toMatchObject({
      reasons: [
        {
          ...{ code: 'too_many_failures', stuck: 0, failed: 50, usualPct: 0 },
          previous: { failed: 0, judged: 800 },
        },
      ],
    })
  })
})

describe('a look that stops nothing', () => {
  const counts = { adopted: 93, reported: 7 }
  const limits = { maxFailedPct: 3, minSample: 20 }

  test('suspects a release whose failures are above the limit, and may be chance', () => {
    expect(judged(counts, { limits })).toEqual({ verdict: 'suspected' })
    expect(judged({ adopted: 97, reported: 3 }, { limits })).toEqual({ verdict: 'fine' })
    expect(judged({ adopted: 19, reported: 1 }, { limits })).toEqual({ verdict: 'fine' })
  })

  test('suspects one whose devices are silent soon, and stops nothing for them', () => {
    const late = (devices: number) => ({
      ...{ limits, observed: observed({ waiting: 60, adopted: 40 }, { late: devices }) },
    })
    expect(judged({}, late(1))).toEqual({ verdict: 'fine' })
    expect(judged({}, late(5))).toEqual({ verdict: 'suspected' })
    expect(judged({}, late(60))).toEqual({ verdict: 'suspected' })
  })
})

describe('the release before', () => {
  const previous = observed({ adopted: 996, reverted: 4 })

  test('shows that failures below the limit are far more than usual: steps wait', () => {
    const worse = { adopted: 965, reverted: 25, reported: 10 }
    expect(judged(worse)).toEqual({ verdict: 'fine' })
    expect(judged(worse, { previous })).toEqual({ verdict: 'suspected' })
  })

  test('does not make them wait over a difference that can be chance, or is small', () => {
    expect(judged({ adopted: 195, reverted: 5 }, { previous })).toEqual({ verdict: 'fine' })
    expect(judged({ adopted: 98_800, reverted: 1_200 }, { previous })).toEqual({ verdict: 'fine' })
  })
})

test('a previous release with few devices is no example of what is usual', () => {
  const late = { adopted: 450, stuck: 50 }
  const tiny = observed({ adopted: 9, stuck: 10 })
  expect(judged(late, { previous: tiny })).toMatchObject({ verdict: 'stop' })
})

test('gates look at the stuck devices beyond those that are usual', () => {
  const previous = observed({ adopted: 95, stuck: 5 })
  const now = observed({ offered: 110, waiting: 10, adopted: 90, stuck: 8, reverted: 2 })
  expect(gatedHealth(now, previous)).toEqual({ ...now.health, waiting: 15, stuck: 3 })
})

describe('silent devices', () => {
  const silent = { adopted: 440, silent: 60 }

  test('count while the others are as active as usual', () => {
    expect(judged(silent, { activity: { seen: 900, usual: 960 } })).toMatchObject({
      verdict: 'stop',
    })
  })

  test('do not count while everybody is away', () => {
    expect(judged(silent, { activity: { seen: 200, usual: 1_000 } })).toEqual({ verdict: 'fine' })
  })

  test('do not excuse themselves', () => {
    const activity = { seen: 0, usual: 60 }
    expect(judged({ adopted: 0, silent: 60 }, { activity })).toMatchObject({ verdict: 'stop' })
  })
})

describe('beside a control', () => {
  const arm = (devices: number, silent: number, rest: Partial<Control> = {}): Control => {
    return { devices, silent, reverted: 0, gone: 0, ...rest }
  }
  const away = { offered: 500, adopted: 400, silent: 100 }

  test('as many devices may be silent as of the control, whatever else is known of the day', () => {
    expect(judged(away, { control: arm(500, 5) })).toMatchObject({ verdict: 'stop' })
    const activity = { seen: 200, usual: 1_000 }
    expect(judged(away, { control: arm(500, 5), activity })).toMatchObject({
      reasons: [{ failed: 100, judged: 500, limitPct: 5, control: { failed: 5, judged: 500 } }],
    })
    expect(judged(away, { control: arm(500, 100) })).toEqual({ verdict: 'fine' })
  })

  test('devices that wait may be silent as well, though they are not judged', () => {
    const few = { offered: 500, waiting: 380, adopted: 60, silent: 60 }
    expect(judged(few, { control: arm(500, 60) })).toEqual({ verdict: 'fine' })
  })

  test('a small control shows little: new offers wait', () => {
    const few = { offered: 200, adopted: 160, silent: 40 }
    expect(judged(few, { control: arm(25, 1) })).toEqual({ verdict: 'suspected' })
    const asUsual = { activity: { seen: 900, usual: 960 } }
    // Nor is what is known of the day: it does not know a holiday.
    expect(judged(few, { control: arm(25, 1), ...asUsual })).toEqual({ verdict: 'suspected' })
    expect(judged(few, { control: arm(25, 7), ...asUsual })).toEqual({ verdict: 'fine' })
    expect(judged(few, { control: arm(2_500, 100) })).toMatchObject({ verdict: 'stop' })
  })

  test('too few devices are none, and failures that an app reports need none', () => {
    expect(judged(away, { control: arm(19, 19) })).toMatchObject({ verdict: 'stop' })
    const reported = { offered: 500, adopted: 440, reported: 60 }
    expect(judged(reported, { control: arm(500, 500) })).toMatchObject({ verdict: 'stop' })
  })

  test('devices that go back do so everywhere, or because of the release', () => {
    const back = { offered: 500, adopted: 440, reverted: 60 }
    expect(judged(back, { control: arm(500, 0, { reverted: 60 }) })).toEqual({ verdict: 'fine' })
    expect(judged(back, { control: arm(500, 0) })).toMatchObject({ verdict: 'stop' })
  })

  test('it says what is usual in place of the previous release', () => {
    const previous = observed({ adopted: 996, reverted: 4 })
    const worse = { offered: 1_000, adopted: 965, reverted: 35 }
    expect(judged(worse, { previous })).toEqual({ verdict: 'suspected' })
    expect(judged(worse, { previous, control: arm(500, 15) })).toEqual({ verdict: 'fine' })
    expect(judged(worse, { control: arm(500, 2) })).toEqual({ verdict: 'suspected' })
  })
})

test('what a person accepted does not count again', () => {
  const accepted = observed({ adopted: 460, reverted: 40 })
  expect(judged({ adopted: 460, reverted: 40 }, { accepted })).toEqual({ verdict: 'not_enough' })
  expect(judged({ adopted: 660, reverted: 45 }, { accepted })).toEqual({ verdict: 'fine' })
  expect(judged({ adopted: 660, reverted: 70 }, { accepted })).toMatchObject({
    reasons: [{ failed: 30, judged: 230 }],
  })
})

describe('activity', () => {
  const DAY = 86_400_000
  const day = (devices: number, back: number) => [100 - back, devices] as const

  test('is compared with the same days of the weeks before', () => {
    const byDay = new Map([day(80, 7), day(100, 14), day(90, 21), day(40, 8), day(60, 15)])
    expect(activityOf({ seen: 55, byDay }, 100.5 * DAY)).toEqual({ seen: 55, usual: 75 })
  })

  test('is that of the days before after a holiday, for four days', () => {
    const usual = Array.from({ length: 28 }, (_, back) => day(100, back + 6))
    const seen = (back: number) =>
      activityOf({ seen: 100, byDay: new Map([...usual, day(10, back)]) }, 100.5 * DAY)
    const holiday = { seen: 10, usual: 100 }
    expect([1, 4, 5].map(seen)).toEqual([holiday, holiday, { seen: 100, usual: 100 }])
  })

  test('is not known without one, and a day without devices is none', () => {
    const byDay = new Map([day(80, 7), day(0, 8), day(40, 1)])
    expect(activityOf({ seen: 1, byDay }, 100.5 * DAY)).toBeNull()
  })
})
