import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  forecast,
  type NextStep,
  nextStep,
  type PlanProgress,
} from '../../../../src/server/rules/plans/next-step.ts'
import { NO_HEALTH, type ReleaseHealth } from '../../../../src/shared/health/health.ts'
import type { Freeze } from '../../../../src/shared/plans/freeze.ts'
import type { Plan, PlanWindow } from '../../../../src/shared/plans/plan.ts'
import { gateConditions } from '../../../../src/shared/plans/plan-gate.ts'
import { freeze, planOf, rolloutPlan } from '../../../support/builders/plans.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'

const START = Date.parse('2026-11-20T10:00Z')
const NEW: PlanProgress = { step: 0, soakSince: null, awaitsProof: false, readings: null }
const health = (counts: Partial<ReleaseHealth>): ReleaseHealth => ({ ...NO_HEALTH, ...counts })

describe('a step', () => {
  const plan = rolloutPlan([
    [10, 24],
    [100, 2],
  ])
  const after: PlanProgress = { ...NEW, step: 1, soakSince: START }

  test('is due at once if it is the first', () => {
    expect(nextStep(plan, NEW, NO_HEALTH, [], START)).toEqual({ kind: 'apply', step: 0 })
  })

  test('waits until the one before has soaked', () => {
    const until = START + DAY
    expect(nextStep(plan, after, NO_HEALTH, [], until - 1)).toEqual({
      ...{ kind: 'wait', for: 'soak', until },
    })
    expect(nextStep(plan, after, NO_HEALTH, [], until)).toEqual({ kind: 'apply', step: 1 })
  })

  test('says when it is due if the window opens later', () => {
    const sundays = { ...plan, windows: [{ days: ['sun' as const], from: '00:00', to: '24:00' }] }
    const until = Date.parse('2026-11-22T00:00Z')
    expect(nextStep(sundays, after, NO_HEALTH, [], START)).toEqual({
      ...{ kind: 'wait', for: 'soak', until },
    })
    expect(nextStep(sundays, after, NO_HEALTH, [], START + DAY)).toEqual({
      ...{ kind: 'wait', for: 'window', until },
    })
  })

  test('waits for the end of a freeze, and until the release is proven', () => {
    expect(nextStep(plan, NEW, NO_HEALTH, [freeze('2026-11-18', '2026-11-21')], START)).toEqual({
      ...{ kind: 'wait', for: 'freeze', until: Date.parse('2026-11-22T00:00Z') },
    })
    expect(nextStep(plan, { ...NEW, awaitsProof: true }, NO_HEALTH, [], START)).toEqual({
      ...{ kind: 'wait', for: 'proof', until: null },
    })
  })

  test.each<[string, Partial<ReleaseHealth>, NextStep['kind']]>([
    ['nothing is known', {}, 'wait'],
    ['too few adopted', { offered: 100, adopted: 49, waiting: 51 }, 'wait'],
    ['too small a sample', { offered: 9, adopted: 9 }, 'wait'],
    ['too many failed', { offered: 100, adopted: 80, stuck: 20 }, 'wait'],
    ['few, which may be chance', { offered: 300, adopted: 200, waiting: 97, silent: 3 }, 'wait'],
    ['few enough', { offered: 300, adopted: 290, waiting: 8, silent: 2 }, 'apply'],
    ['none of those known so far', { offered: 300, adopted: 70, waiting: 230 }, 'wait'],
    ['none of too few to show it', { offered: 80, adopted: 80 }, 'wait'],
    ['none of just enough', { offered: 81, adopted: 81 }, 'apply'],
  ])('waits for the gate of the one before: %s', (_, counts, kind) => {
    const gate = { minAdoptedPct: 50, maxFailedPct: 5, minSample: 10 }
    const gated = planOf([
      { rolloutPct: 10, soakHours: 24, gate },
      { rolloutPct: 100, soakHours: 0 },
    ])
    const next = nextStep(gated, after, health(counts), [], START + DAY)
    expect(next.kind).toBe(kind)
    if (kind === 'wait') expect(next).toEqual({ kind, for: 'gate', until: null })
  })
})

test.each([
  [135, 0, false],
  [136, 0, true],
  [136, 1, false],
  [477, 4, true],
  [20, 0, false],
  [0, 0, false],
])(
  'with a limit of three percent, %i devices of which %i fail open a gate: %s',
  (judged, reported, opens) => {
    const counts = health({ offered: 500, adopted: judged - reported, reported })
    const [condition] = gateConditions({ maxFailedPct: 3 }, counts)
    expect(condition?.isMet).toBe(opens)
  },
)

test('nothing shows a limit of zero percent to a gate, and one of a hundred needs no evidence', () => {
  const met = (maxFailedPct: number, reported: number) => {
    const counts = health({ offered: 20, adopted: 20 - reported, reported })
    return gateConditions({ maxFailedPct }, counts)[0]?.isMet
  }
  expect([met(0, 0), met(0, 1), met(100, 20)]).toEqual([false, false, true])
})

test('a plan is finished once its last step has soaked, in a freeze, too', () => {
  const plan = rolloutPlan([[100, 2]])
  const freezes = [freeze('2026-11-18', '2026-11-21')]
  const done = { ...NEW, step: 1, soakSince: START }
  expect(nextStep(plan, done, NO_HEALTH, freezes, START)).toEqual({
    ...{ kind: 'wait', for: 'soak', until: START + 2 * HOUR },
  })
  expect(nextStep(plan, done, NO_HEALTH, freezes, START + 2 * HOUR)).toEqual({ kind: 'finished' })
})

test('a forecast has the earliest time of every step, and the end', () => {
  const plan = rolloutPlan(
    [
      [10, 24],
      [50, 24],
      [100, 1],
    ],
    { windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '16:00' }] },
  )
  const iso = (time: number | null) => time && new Date(time).toISOString().slice(0, 16)
  const { steps, finished } = forecast(plan, NEW, [freeze('2026-11-24', '2026-11-25')], START)
  expect(steps.map(iso)).toEqual(['2026-11-20T10:00', '2026-11-23T09:00', '2026-11-26T09:00'])
  expect(iso(finished)).toBe('2026-11-26T10:00')
})

const plans = fc
  .record({
    steps: fc.array(fc.record({ add: fc.integer({ min: 1, max: 20 }), soak: fc.nat(72) }), {
      ...{ minLength: 1, maxLength: 5 },
    }),
    windows: fc.constantFrom<PlanWindow[]>(
      [],
      [{ days: ['mon', 'thu'], from: '09:00', to: '16:30' }],
      [{ days: ['sun'], from: '02:00', to: '03:00' }],
    ),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  })
  .map(({ steps, ...members }) => {
    let rolloutPct = 0
    const raised = steps.map(({ add, soak }) => {
      rolloutPct += add
      return [rolloutPct, soak] as const
    })
    return rolloutPlan(raised, members)
  })

interface Applied {
  readonly step: number
  readonly at: number
}

/** What a server does that looks at those moments, and stores when it applied a step. */
function run(plan: Plan, freezes: readonly Freeze[], looks: readonly number[]): Applied[] {
  const applied: Applied[] = []
  let progress = NEW
  for (const now of looks) {
    const next = nextStep(plan, progress, NO_HEALTH, freezes, now)
    if (next.kind !== 'apply') continue
    applied.push({ step: next.step, at: now })
    progress = { ...progress, step: next.step + 1, soakSince: now }
  }
  return applied
}

test('whatever the clock does, each step is applied at most once, in order, after its soak, in the open', () => {
  const jump = fc.oneof(
    fc.integer({ min: 1, max: 8 * 60 }),
    fc.integer({ min: -72 * 60, max: 400 * 60 }),
  )
  const freezes = [freeze('2026-12-01', '2026-12-10', 'Europe/Berlin')]
  fc.assert(
    fc.property(plans, fc.array(jump, { minLength: 5, maxLength: 200 }), (plan, jumps) => {
      let now = START
      const looks = jumps.map((minutes) => (now += minutes * 60_000))
      const applied = run(plan, freezes, looks)
      expect(applied.map(({ step }) => step)).toEqual(applied.map((_, index) => index))
      for (const [index, { step, at }] of applied.entries()) {
        const before = applied[index - 1]
        if (before === undefined) continue
        const soak = (plan.steps[step - 1]?.soakHours ?? 0) * HOUR
        expect(at - before.at).toBeGreaterThanOrEqual(soak)
        const free = nextStep(
          { ...plan, steps: plan.steps.slice(0, 1) },
          NEW,
          NO_HEALTH,
          freezes,
          at,
        )
        expect(free).toEqual({ kind: 'apply', step: 0 })
      }
    }),
    { numRuns: 200 },
  )
})

test('after a downtime one step is applied, and the next one soaks from then on', () => {
  fc.assert(
    fc.property(plans, fc.nat(400), (plan, days) => {
      const back = START + days * DAY
      const until = nextStep(plan, NEW, NO_HEALTH, [], back)
      const at = until.kind === 'wait' ? (until.until ?? back) : back
      const soak = (plan.steps[0]?.soakHours ?? 0) * HOUR
      const looks = [at, at + soak - 1].filter((time, index) => index === 0 || time > at)
      expect(run(plan, [], looks)).toEqual([{ step: 0, at }])
    }),
  )
})

test('a forecast is when a server that never sleeps applies the steps', () => {
  const freezes = [freeze('2026-11-28', '2026-12-03', 'America/New_York')]
  fc.assert(
    fc.property(plans, (plan) => {
      const { steps, finished } = forecast(plan, NEW, freezes, START)
      const looks = [...steps, finished].flatMap((at) => (at === null ? [] : [at - 1, at]))
      const applied = run(
        plan,
        freezes,
        looks.filter((at) => at >= START).flatMap((at) => [at, at]),
      )
      expect(applied.map(({ at }) => at)).toEqual(steps)
    }),
  )
})
