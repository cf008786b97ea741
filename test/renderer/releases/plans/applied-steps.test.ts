import { expect, test } from 'vitest'
import { appliedSteps } from '../../../../src/renderer/releases/plans/timeline/plan-timeline.tsx'
import { NO_HEALTH } from '../../../../src/shared/health/health.ts'

const actor = { kind: 'server', name: 'server' } as const
const entry = (id: number, action: string, after: unknown) => ({
  ...{ id, at: `2026-11-20T10:00:0${id}Z`, actor, action, before: null, after },
})

test('steps of the plan that a release has now, not of one before it', () => {
  const health = { ...NO_HEALTH, offered: 10, adopted: 9, waiting: 1 }
  const history = [
    entry(6, 'release.plan_step_applied', { step: 2, of: 3, health }),
    entry(5, 'release.serving_changed', { rolloutPct: 25 }),
    entry(4, 'release.plan_step_applied', { step: 1, of: 3 }),
    entry(3, 'release.plan_set', { step: 0, of: 3 }),
    entry(2, 'release.plan_step_applied', { step: 3, of: 4 }),
    entry(1, 'release.plan_set', { step: 0, of: 4 }),
  ]
  expect([...appliedSteps(history)]).toEqual([
    [1, { at: '2026-11-20T10:00:06Z', health }],
    [0, { at: '2026-11-20T10:00:04Z', health: undefined }],
  ])
})
