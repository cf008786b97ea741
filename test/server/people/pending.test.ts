import { expect, test } from 'vitest'
import { Pending } from '../../../src/server/people/pending.ts'

test('an account displaces its own oldest and those of nobody else', () => {
  const pending = new Pending<{ accountId: string }>({ time: 1_000, maximum: 2, clock: () => 0 })
  const others = pending.add({ accountId: 'noah' })
  const own = Array.from({ length: 5 }, () => pending.add({ accountId: 'mia' }))
  expect(pending.get(others)).toEqual({ accountId: 'noah' })
  expect(own.map((token) => pending.get(token) !== undefined)).toEqual([
    ...[false, false, false, true, true],
  ])
  expect(pending.size).toBe(3)
})

test('what is over is dropped with the next', () => {
  let now = 0
  const pending = new Pending<{ accountId: string }>({ time: 1_000, maximum: 9, clock: () => now })
  const token = pending.add({ accountId: 'mia' })
  now = 1_000
  expect(pending.get(token)).toBeUndefined()
  pending.add({ accountId: 'noah' })
  expect(pending.size).toBe(1)
})
