import { expect, test } from 'vitest'
import { formatShare } from '../../../src/renderer/components/format.ts'

test('a share is not rounded to none or all', () => {
  expect([null, 0, 0.001, 0.5, 0.999, 1].map(formatShare)).toEqual([
    '–',
    '0 %',
    '< 1 %',
    '50 %',
    '> 99 %',
    '100 %',
  ])
})
