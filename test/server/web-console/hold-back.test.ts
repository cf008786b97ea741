import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HoldBack } from '../../../src/server/web-console/hold-back.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Begins that many waits. Returns how many have ended. */
function begin(holdBack: HoldBack, waits: number): () => number {
  let ended = 0
  for (let n = 0; n < waits; n += 1) void holdBack.wait().then(() => ended++)
  return () => ended
}

test('a refusal is held back for one to four seconds, and not all of a moment for the same time', async () => {
  const ended = begin(new HoldBack(), 200)
  await vi.advanceTimersByTimeAsync(999)
  expect(ended()).toBe(0)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(ended()).toBeGreaterThan(0)
  expect(ended()).toBeLessThan(200)
  await vi.advanceTimersByTimeAsync(1_501)
  expect(ended()).toBe(200)
})

test('beyond 1,000 at a time they are answered at once', async () => {
  const holdBack = new HoldBack()
  const held = begin(holdBack, 1_000)
  const more = begin(holdBack, 1)
  await vi.advanceTimersByTimeAsync(0)
  expect([held(), more()]).toEqual([0, 1])
  await vi.advanceTimersByTimeAsync(4_000)
  const next = begin(holdBack, 1)
  await vi.advanceTimersByTimeAsync(0)
  expect([held(), next()]).toEqual([1_000, 0])
})
