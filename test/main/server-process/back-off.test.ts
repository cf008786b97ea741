import { expect, it } from 'vitest'
import { restartDelay } from '../../../src/main/server-process/back-off.ts'

it('waits twice as long after every crash, up to half a minute', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map(restartDelay)
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})
