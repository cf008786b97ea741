import { expect, test } from 'vitest'
import { GIVE_UP, nextAttempt, waitAfter } from '../../../src/server/outbox/retry.ts'

test('waits grow threefold up to four hours, a fifth more or less', () => {
  const waits = [1, 2, 3, 10, 20].map((tries) => waitAfter(tries, 0.5))
  expect(waits).toEqual([5_000, 15_000, 45_000, 14_400_000, 14_400_000])
  expect([waitAfter(1, 0), waitAfter(1, 1)]).toEqual([4_000, 6_000])
})

test('tries again for 24 hours', () => {
  const giveUpAt = new Date(GIVE_UP).toISOString()
  let now = 0
  let tries = 0
  for (;;) {
    tries += 1
    const next = nextAttempt({ tries, giveUpAt }, now)
    if (next === null) break
    expect(Date.parse(next)).toBeGreaterThan(now)
    now = Date.parse(next)
  }
  expect(now).toBeGreaterThan(GIVE_UP - 5 * 3_600_000)
  expect(now).toBeLessThanOrEqual(GIVE_UP)
  expect(tries).toBeGreaterThan(10)
  expect(tries).toBeLessThan(20)
})

test('waits longer if the receiver asks for it, within bounds', () => {
  const giveUpAt = new Date(GIVE_UP).toISOString()
  expect(nextAttempt({ tries: 1, giveUpAt }, 0, 60_000)).toBe(new Date(60_000).toISOString())
  const longest = new Date(4 * 3_600_000).toISOString()
  expect(nextAttempt({ tries: 1, giveUpAt }, 0, GIVE_UP)).toBe(longest)
})
