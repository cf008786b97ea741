import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FEED_ROWS,
  type FeedState,
  feedAfter,
  NO_FEED,
} from '../../../src/renderer/fleet/feed-state.ts'
import type { LiveCheckIn } from '../../../src/shared/console/fleet.ts'

const checkIn = (sequence: number): LiveCheckIn => ({
  ...{ sequence, at: '2026-03-14T09:26:53.589Z', channel: 'stable', deviceId: 'a' },
  ...{ version: '1.0.0', platform: 'linux', arch: 'x64', source: 'check', reason: 'update' },
})

/** Batches of so many check-ins each, the last ones of `leftOut` not told. */
function run(steps: readonly { sent: number; leftOut: number; held: boolean }[]) {
  let sequence = 0
  let state = NO_FEED
  const states: FeedState[] = []
  for (const { sent, leftOut, held } of steps) {
    if (!held) state = feedAfter(state, { type: 'released' })
    sequence += leftOut
    const checkIns = Array.from({ length: sent }, () => checkIn(++sequence)).reverse()
    state = feedAfter(state, { type: 'batch', batch: { checkIns, leftOut }, held })
    states.push(state)
  }
  return { states, last: sequence }
}

describe('the feed', () => {
  const steps = fc.array(fc.record({ sent: fc.nat(25), leftOut: fc.nat(50), held: fc.boolean() }), {
    maxLength: 20,
  })

  test('never moves while it is held, and counts what came', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { states } = run(all)
        let came = 0
        for (const [index, { sent, leftOut, held }] of all.entries()) {
          came = held ? came + sent + leftOut : 0
          if (held) expect(states[index]?.rows).toEqual(states[index - 1]?.rows ?? [])
          expect(states[index]?.came).toBe(came)
        }
      }),
    )
  })

  test('shows the newest when it is let go, newest first, and keeps few', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { states, last } = run([...all, { sent: 1, leftOut: 0, held: false }])
        const rows = states.at(-1)?.rows.map(({ sequence }) => sequence) ?? []
        expect(rows[0]).toBe(last)
        expect(rows).toEqual(rows.toSorted((a, b) => b - a))
        expect(new Set(rows).size).toBe(rows.length)
        expect(rows.length).toBeLessThanOrEqual(FEED_ROWS)
      }),
    )
  })
})
