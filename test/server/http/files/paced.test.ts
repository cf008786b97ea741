import { expect, test } from 'vitest'
import { paced } from '../../../../src/server/http/files/downloads.ts'

test('many who call at once, or one after the other, cost no more than one each time', async () => {
  let now = 0
  const time = {
    clock: () => now,
    wait: async (milliseconds: number) => {
      now += milliseconds
    },
  }
  const begun: number[] = []
  const work = async () => {
    begun.push(now)
    now += 10
  }
  const call = paced(work, 50, time)
  for (let round = 0; round < 4; round++) {
    await Promise.all(Array.from({ length: 100 }, () => call()))
  }
  expect(begun).toEqual([0, 50, 100, 150])
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
