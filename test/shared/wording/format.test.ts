import { expect, test } from 'vitest'
import { byteSize, counted, percentOf } from '../../../src/shared/wording/format.ts'

test('counts have a singular and a plural', () => {
  expect([counted(0, 'release'), counted(1, 'release'), counted(1_204, 'release')]).toEqual([
    '0 releases',
    '1 release',
    '1,204 releases',
  ])
  expect(counted(2, 'release is', 'releases are')).toBe('2 releases are')
})

test('shares are percentages with one digit', () => {
  expect([percentOf(0), percentOf(0.125), percentOf(1)]).toEqual(['0.0%', '12.5%', '100.0%'])
})

test('sizes have the unit that fits', () => {
  expect([512, 12_345_678, 81_231_300_000].map(byteSize)).toEqual(['0.5 kB', '12.3 MB', '81.2 GB'])
})
