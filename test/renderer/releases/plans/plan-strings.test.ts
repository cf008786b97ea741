import { expect, test } from 'vitest'
import {
  evidenceInWords,
  tooFewInWords,
  unfoundInWords,
} from '../../../../src/renderer/releases/plans/schedule/strings.ts'
import {
  hoursInWords,
  stepsInWords,
  stopInWords,
  windowsInWords,
} from '../../../../src/renderer/releases/plans/strings.ts'
import type { PlanWindow } from '../../../../src/shared/plans/plan.ts'
import { presetPlan } from '../../../../src/shared/plans/plan-presets.ts'

test('the steps of a plan in a line', () => {
  expect(stepsInWords(presetPlan('my-machine-first', 'UTC'))).toBe(
    'Ring me → Ring testers → 10% → 50% → Everyone',
  )
})

test.each<[PlanWindow['days'], string]>([
  [['mon', 'tue', 'wed', 'thu', 'fri'], 'Mon–Fri, 09:00–16:00 (UTC)'],
  [['sat', 'sun'], 'Sat and Sun, 09:00–16:00 (UTC)'],
  [['mon', 'wed', 'fri'], 'Mon, Wed, and Fri, 09:00–16:00 (UTC)'],
  [['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 'every day, 09:00–16:00 (UTC)'],
])('the window on %s', (days, words) => {
  const windows = [{ days, from: '09:00', to: '16:00' }]
  expect(windowsInWords({ windows, timeZone: 'UTC' })).toBe(words)
})

test('a window that lasts into the next day', () => {
  const windows: PlanWindow[] = [{ days: ['fri'], from: '22:00', to: '06:00' }]
  expect(windowsInWords({ windows, timeZone: 'UTC' })).toBe('Fri, 22:00–06:00 the next day (UTC)')
})

test('hours as people say them', () => {
  expect([0.5, 1, 24, 48, 60, 72].map(hoursInWords)).toEqual([
    '30 minutes',
    '1 hour',
    '24 hours',
    '2 days',
    '60 hours',
    '3 days',
  ])
})

test('when a plan stops by itself', () => {
  expect(stopInWords({ maxFailedPct: 2.5, minSample: 20, onFailure: 'rollback' })).toBe(
    'If more than 2.5% of at least 20 devices fail, at 95% confidence: roll the release back and stop the plan.',
  )
})

test('what it takes to exclude that too many devices fail', () => {
  const evidence = { limitPct: 3, needed: 478, devices: 400, silenceHours: null, gate: null }
  expect([18, 100, null].map((hours) => evidenceInWords({ ...evidence, hours }))).toEqual([
    'About 18 hours until 3% failures can be excluded',
    'About 4 days until 3% failures can be excluded',
    '',
  ])
  expect(evidenceInWords({ ...evidence, hours: 18, silenceHours: 54 })).toBe(
    'About 18 hours until 3% failures can be excluded. Silence of 25% shows after 54 hours or later',
  )
  const step = (rolloutPct: number, hours: number | null) => ({
    ...{ step: 0, rings: null, at: null, rolloutPct, evidence: { ...evidence, hours } },
  })
  expect(tooFewInWords([step(5, null), step(10, null), step(100, 18)])).toBe(
    '400 devices at 10% cannot exclude 3% failures: that takes about 478.',
  )
  expect(tooFewInWords([step(100, 18)])).toBe('')
  const silenced = { ...evidence, hours: null, silenceHours: 54 }
  expect(unfoundInWords([step(5, null), { ...step(25, null), evidence: silenced }])).toBe('')
  expect([unfoundInWords([]), unfoundInWords([step(5, null), step(100, 18)])]).toEqual([
    '',
    'No step reaches enough devices to show that a quarter of them falls silent.',
  ])
  const gated = (devices: number, leastPct: number | null) => {
    const gate = { opensFrom: 136, leastPct }
    return tooFewInWords([
      { ...step(5, null), evidence: { ...evidence, hours: null, devices, gate } },
    ])
  }
  expect([gated(400, 4), gated(20, 50), gated(1, null)]).toEqual([
    '400 devices at 5% cannot exclude 3% failures: that takes about 478. The gate opens only if almost none fails. They can exclude 4%.',
    '20 devices at 5% cannot exclude 3% failures: that takes about 478. The gate stays closed. They can exclude 50%.',
    '1 device at 5% cannot exclude 3% failures: that takes about 478. The gate stays closed.',
  ])
})
