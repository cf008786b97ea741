import { expect, test } from 'vitest'
import { rolloutBySteps } from '../../../../src/renderer/releases/release/expectation.ts'

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour)).toISOString()
const STEPS = [10, 11, 12, 13, 14].map((day) => at(day))
const mark = (
  time: string,
  change: 'published' | 'raised' | 'paused' | 'resumed',
  pct?: number,
) => ({
  ...{ at: time, change, rolloutPct: pct ?? null },
})

test('the rollout of a day is what it was at its end, and nothing while the release is paused', () => {
  const release = { createdAt: at(11, 9), rolloutPct: 50, status: 'published' } as const
  const changes = [
    mark(at(11, 9), 'published', 5),
    mark(at(11, 20), 'raised', 10),
    mark(at(12, 8), 'paused'),
    mark(at(13, 1), 'resumed'),
    mark(at(14), 'raised', 50),
  ]
  expect(rolloutBySteps(STEPS, changes, release)).toEqual([null, 10, 0, 10, 50])
})

test('a release that nobody changed in that time is where it is now', () => {
  const old = { createdAt: at(1), rolloutPct: 100, status: 'published' } as const
  expect(rolloutBySteps(STEPS, [], old)).toEqual([100, 100, 100, 100, 100])
  const paused = { ...old, status: 'paused' } as const
  expect(rolloutBySteps(STEPS, [], paused)).toEqual([0, 0, 0, 0, 0])
})
