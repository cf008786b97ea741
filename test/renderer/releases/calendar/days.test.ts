import { expect, test } from 'vitest'
import { setTimeZone } from '../../../../src/renderer/components/text/time.ts'
import {
  daysFrom,
  freezesOn,
  type PlanOnCalendar,
  planOn,
} from '../../../../src/renderer/releases/calendar/days.ts'
import { NO_HEALTH } from '../../../../src/shared/health/health.ts'
import { presetPlan } from '../../../../src/shared/plans/plan-presets.ts'
import { freeze } from '../../../support/builders/plans.ts'

test('two weeks begin on a Monday, across the end of a year', () => {
  const days = daysFrom('2026-12-30', 0)
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-12-28', '2027-01-10', 14])
  expect(daysFrom('2026-12-28', 0)[0]).toBe('2026-12-28')
  expect(daysFrom('2027-01-03', -1)[0]).toBe('2026-12-14')
})

test('a step is on its day of the chosen time zone', () => {
  setTimeZone('utc')
  const plan = presetPlan('cautious-week', 'UTC')
  const at = '2026-11-20T23:30:00.000Z'
  const shown: PlanOnCalendar = {
    ...{ app: 'editor', channel: 'stable', version: '1.0.0', rolloutPct: 1, health: NO_HEALTH },
    state: {
      ...{ plan, status: 'running', reason: null, since: at, step: 1, appliedAt: at },
      next: { waitsFor: 'soak', at },
      openPct: null,
      stopReasons: null,
      readings: null,
    },
    forecast: { steps: [{ step: 1, rolloutPct: 5, rings: null, at }], finished: null },
  }
  expect(planOn(shown, '2026-11-20')).toEqual({ steps: [1], isFinished: false, isClosed: false })
  // A Saturday, without a window.
  expect(planOn(shown, '2026-11-21')).toEqual({ steps: [], isFinished: false, isClosed: true })
  setTimeZone('local')
})

test('a freeze holds on its first and last day', () => {
  const freezes = [freeze('2026-12-19', '2027-01-03')]
  const held = ['2026-12-18', '2026-12-19', '2027-01-03', '2027-01-04'].map(
    (day) => freezesOn(freezes, day).length,
  )
  expect(held).toEqual([0, 1, 1, 0])
})
