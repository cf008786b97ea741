import { expect, test } from 'vitest'
import { within } from '../../../../src/server/runtime/async/within.ts'

test('late work is answered by what `late` returns or throws, and other work by itself', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  expect(await within(1, promise, () => 'late')).toBe('late')
  const refused = within(1, promise, () => {
    throw new Error('too late')
  })
  await expect(refused).rejects.toThrow('too late')
  resolve('done')
  const before = timers()
  expect(await within(60_000, promise, () => 'late')).toBe('done')
  await expect(within(60_000, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow(
    'failed',
  )
  expect(timers()).toBe(before)
})

const timers = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
