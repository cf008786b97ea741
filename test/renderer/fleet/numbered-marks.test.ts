import { expect, test } from 'vitest'
import { numberMarks } from '../../../src/renderer/fleet/numbered-marks.ts'
import type { RolloutMark } from '../../../src/shared/console/fleet.ts'

test('changes in one step share a number, in the order of time', () => {
  const steps = ['2026-03-14T09:00:00.000Z', '2026-03-14T10:00:00.000Z', '2026-03-14T11:00:00.000Z']
  const at = (time: string): RolloutMark => ({
    ...{ at: `2026-03-14T${time}.000Z`, channel: 'stable', version: '1.0.0' },
    ...{ change: 'paused', rolloutPct: null },
  })
  const marks = [at('09:00:00'), at('09:59:59'), at('11:30:00')]
  const { list, lines } = numberMarks({ steps, marks })
  expect(list.map(({ number }) => number)).toEqual([1, 1, 2])
  expect(lines).toEqual([
    { at: steps[0], label: '1' },
    { at: steps[2], label: '2' },
  ])
})

test('numbers that would overlap stand together at the first of their lines', () => {
  const steps = Array.from({ length: 90 }, (_, day) =>
    new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
  )
  const marks = [0, 50, 51, 53, 54, 88, 89].map(
    (day): RolloutMark => ({
      ...{ at: steps[day] ?? '', channel: 'stable', version: '1.0.0' },
      ...{ change: 'paused', rolloutPct: null },
    }),
  )
  const { lines, list } = numberMarks({ steps, marks })
  expect(lines.map(({ label }) => label)).toEqual(['1', '2–4', '', '', '5', '6–7', ''])
  expect(list.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7])
})
