import { expect, test } from 'vitest'
import { paced } from '../../../../src/server/http/files/paced.ts'

test('many who call at once, or one after the other, cost no more than one each time', async () => {
  const begun: number[] = []
  const call = paced(async () => {
    begun.push(performance.now())
  }, 50)
  const many = () => Promise.all(Array.from({ length: 100 }, () => call()))
  await many()
  expect(begun).toHaveLength(1)
  for (let round = 0; round < 3; round++) await many()
  expect(begun).toHaveLength(4)
  // A timer can be a millisecond early.
  for (const [at, time] of begun.slice(1).entries()) {
    expect(time - (begun[at] ?? 0)).toBeGreaterThanOrEqual(49)
  }
})

test('who calls while it works waits for work that begins later, and hears of its failure', async () => {
  const first = Promise.withResolvers<void>()
  let runs = 0
  const call = paced(async () => {
    runs += 1
    if (runs === 1) await first.promise
    else throw new Error('second')
  }, 1)
  const one = call()
  await expect.poll(() => runs).toBe(1)
  const two = call()
  first.resolve()
  await one
  await expect(two).rejects.toThrow('second')
})
