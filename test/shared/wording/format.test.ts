import { expect, test } from 'vitest'
import {
  formatAgo,
  formatCounted,
  formatDuration,
  formatElapsed,
  formatList,
  formatPercent,
  formatShare,
  formatSize,
} from '../../../src/shared/wording/format.ts'

test('a share is not rounded to 0% or 100%', () => {
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

test('numbers have their unit as English writes it', () => {
  expect([formatPercent(25), formatPercent(100), formatPercent(12.34, 1)]).toEqual([
    '25%',
    '100%',
    '12.3%',
  ])
  expect([formatCounted(1, 'device'), formatCounted(0, 'entry', 'entries')]).toEqual([
    '1 device',
    '0 entries',
  ])
  expect([formatDuration(1, 'day'), formatDuration(24, 'hour')]).toEqual(['1 day', '24 hours'])
  expect(formatDuration(0.44, 'second', 1)).toBe('0.4 seconds')
})

test('what took less than a second is shown in milliseconds', () => {
  expect([0.2, 12.4, 999.4, 999.6, 1_540].map(formatElapsed)).toEqual([
    ...['1 millisecond', '12 milliseconds', '999 milliseconds', '1 second', '1.5 seconds'],
  ])
})

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b, and c'],
])('the parts %j are joined as "%s"', (parts, text) => {
  expect(formatList(parts)).toBe(text)
  expect(formatList(parts, 'or')).toBe(text.replace(' and ', ' or '))
})

test('times in the past have singular and plural units', () => {
  expect([formatAgo(1, 'minute'), formatAgo(5, 'hour'), formatAgo(1, 'day')]).toEqual([
    '1 minute ago',
    '5 hours ago',
    '1 day ago',
  ])
})
