import { expect, test } from 'vitest'
import { formatShare, formatSize } from '../../../src/shared/wording/format.ts'

test('a share is not rounded to none or all', () => {
  expect([null, 0, 0.001, 0.5, 0.999, 1].map(formatShare)).toEqual([
    '–',
    '0%',
    '< 1%',
    '50%',
    '> 99%',
    '100%',
  ])
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [999_960, '1.0 MB'],
  [123_456_789, '123 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})
