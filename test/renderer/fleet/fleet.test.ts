import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FEED_ROWS,
  type FeedState,
  feedAfter,
  NO_FEED,
} from '../../../src/renderer/fleet/feed-state.ts'
import { numberMarks } from '../../../src/renderer/fleet/numbered-marks.ts'
import { readScope, writeScope } from '../../../src/renderer/fleet/scope.ts'
import { tooltipWords } from '../../../src/renderer/fleet/strings.ts'
import {
  FleetRange,
  type LiveCheckIn,
  type RolloutMark,
} from '../../../src/shared/console/fleet.ts'

const checkIn = (sequence: number): LiveCheckIn => ({
  ...{ sequence, at: '2026-03-14T09:26:53.589Z', channel: 'stable', deviceId: 'a' },
  ...{ version: '1.0.0', platform: 'linux', arch: 'x64', source: 'check', reason: 'update' },
})

/** Batches of so many check-ins each, the last ones of `leftOut` not told. */
function run(steps: readonly { told: number; leftOut: number; held: boolean }[]) {
  let sequence = 0
  let state = NO_FEED
  const states: FeedState[] = []
  for (const { told, leftOut, held } of steps) {
    if (!held) state = feedAfter(state, { type: 'released' })
    sequence += leftOut
    const checkIns = Array.from({ length: told }, () => checkIn(++sequence)).reverse()
    state = feedAfter(state, { type: 'batch', batch: { checkIns, leftOut }, held })
    states.push(state)
  }
  return { states, last: sequence }
}

describe('the feed', () => {
  const steps = fc.array(fc.record({ told: fc.nat(25), leftOut: fc.nat(50), held: fc.boolean() }), {
    maxLength: 20,
  })

  test('never moves while it is held, and counts what came', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { states } = run(all)
        let came = 0
        for (const [index, { told, leftOut, held }] of all.entries()) {
          came = held ? came + told + leftOut : 0
          if (held) expect(states[index]?.rows).toEqual(states[index - 1]?.rows ?? [])
          expect(states[index]?.came).toBe(came)
        }
      }),
    )
  })

  test('shows the newest when it is let go, newest first, and keeps few', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { states, last } = run([...all, { told: 1, leftOut: 0, held: false }])
        const rows = states.at(-1)?.rows.map(({ sequence }) => sequence) ?? []
        expect(rows[0]).toBe(last)
        expect(rows).toEqual(rows.toSorted((a, b) => b - a))
        expect(new Set(rows).size).toBe(rows.length)
        expect(rows.length).toBeLessThanOrEqual(FEED_ROWS)
      }),
    )
  })
})

test('the address holds what the screen looks at', () => {
  const scope = fc.record({
    app: fc.constantFrom('', 'editor'),
    channel: fc.constantFrom('', 'beta'),
    range: fc.constantFrom(...FleetRange.options),
  })
  fc.assert(
    fc.property(scope, (given) => {
      expect(readScope(writeScope(given))).toEqual(given)
    }),
  )
  expect(readScope(new URLSearchParams('range=century'))).toMatchObject({ range: '7d' })
})

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

test('a tooltip has a heading before anything is pointed at', () => {
  expect(tooltipWords('hour', undefined)).toBe('')
  expect(tooltipWords('day', '2026-03-14T00:00:00.000Z')).toMatch(/14.*\(UTC\)$/)
})
