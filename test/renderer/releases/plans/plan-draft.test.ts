import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  issueAt,
  type PlanDraft,
  planInForm,
  readPlan,
  withNewStep,
  withStep,
} from '../../../../src/renderer/releases/plans/editor/draft.ts'
import { Plan, WEEKDAYS } from '../../../../src/shared/plans/plan.ts'
import { PLAN_PRESETS, presetPlan } from '../../../../src/shared/plans/plan-presets.ts'

const plan = presetPlan('one-day', 'UTC')
const draft = planInForm(plan)

/** The first thing that is wrong with a draft, by the path of its field. */
function issuesOf(changed: PlanDraft): Record<string, string> {
  const read = readPlan(changed)
  return read.ok ? {} : Object.fromEntries(read.issues)
}

test.each(PLAN_PRESETS)('the form holds all of the preset %s', (preset) => {
  const shown = { ...presetPlan(preset, 'Europe/Berlin'), holdoutPct: 2 }
  expect(readPlan(planInForm(shown))).toEqual({ ok: true, plan: shown })
})

test('the form holds all of any plan', () => {
  const gate = fc.record(
    {
      minAdoptedPct: fc.integer({ min: 0, max: 100 }),
      maxFailedPct: fc.double({ min: 0.1, max: 100, noNaN: true }),
      minSample: fc.integer({ min: 1, max: 1_000 }),
      prometheus: fc.constant({ server: 'https://prometheus.example.com', query: 'up', min: 1 }),
      sentry: fc.constant({
        ...{ server: 'https://sentry.io', organization: 'studio', project: 1 },
        ...{ release: '$version', minCrashFreePct: 99, minSessions: 100 },
      }),
      crashFree: fc.record({
        minPct: fc.integer({ min: 0, max: 100 }),
        minSessions: fc.integer({ min: 1, max: 1_000 }),
      }),
    },
    { requiredKeys: [] },
  )
  const steps = fc
    .array(fc.record({ add: fc.integer({ min: 1, max: 10 }), soakHours: fc.nat(720), gate }), {
      minLength: 1,
      maxLength: 10,
    })
    .map((drawn) =>
      drawn.map(({ soakHours, gate: drawnGate }, index) => ({
        rolloutPct: drawn.slice(0, index + 1).reduce((sum, { add }) => sum + add, 0),
        soakHours,
        ...(Object.keys(drawnGate).length === 0 ? {} : { gate: drawnGate }),
      })),
    )
  const windows = fc.array(
    fc.constantFrom(
      { days: [...WEEKDAYS], from: '00:00', to: '24:00' },
      { days: ['mon' as const], from: '22:15', to: '23:45' },
      { days: ['sun' as const], from: '22:00', to: '06:00' },
    ),
    { maxLength: 2 },
  )
  fc.assert(
    fc.property(steps, windows, (drawnSteps, drawnWindows) => {
      const drawn = Plan.parse({ steps: drawnSteps, windows: drawnWindows })
      expect(readPlan(planInForm(drawn))).toEqual({ ok: true, plan: drawn })
    }),
  )
})

test('every number that is missing or none is named at once', () => {
  const [first, ...rest] = draft.steps
  if (first === undefined) throw new Error('a preset has steps')
  const typed = { ...first, rolloutPct: 'ten', soakHours: '' }
  const wrong = { ...draft, steps: [typed, ...rest], minSample: '1e' }
  expect(issuesOf(wrong)).toEqual({
    'steps.0.rolloutPct': 'Enter a number',
    'steps.0.soakHours': 'Required',
    minSample: 'Enter a number',
  })
})

test('a step that reaches no more devices than the one before is named', () => {
  const steps = draft.steps.map((step) => ({ ...step, rolloutPct: '50' }))
  expect(issuesOf({ ...draft, steps })).toEqual({
    'steps.1.rolloutPct': 'Must be above that of the step before.',
  })
})

test('a decimal comma is understood', () => {
  const read = readPlan({ ...draft, maxFailedPct: '2,5' })
  expect(read).toMatchObject({ ok: true, plan: { maxFailedPct: 2.5 } })
})

test('a new step comes before the one that reaches everyone', () => {
  const { steps } = withNewStep(draft)
  expect(steps.map(({ rolloutPct }) => rolloutPct)).toEqual(['5', '25', '50', '75', '100'])
  expect(readPlan(withNewStep(draft)).ok).toBe(true)
})

test('a step that becomes a ring comes before the percentages', () => {
  const last = draft.steps[1]
  if (last === undefined) throw new Error('a preset has steps')
  const changed = withStep(draft, { ...last, kind: 'ring', rings: ['testers'] })
  expect(readPlan(changed)).toMatchObject({
    ok: true,
    plan: { steps: [{ ring: ['testers'] }, { rolloutPct: 5 }, { rolloutPct: 50 }, {}] },
  })
})

test('what is wrong below a path counts for its field', () => {
  const issues = new Map([['steps.0.ring.1', 'Must not be empty.']])
  expect(issueAt(issues, 'steps.0.ring')).toBe('Must not be empty.')
  expect(issueAt(issues, 'steps.0.rings')).toBeUndefined()
})
