import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAsSparkle } from '../../../../src/shared/artifacts/documents/sparkle-order.ts'

/** Rising, by the tests of Sparkle (`SUVersionComparisonTest.m`) and the rules in its comparator. */
const RISING = [
  ['1.0', '1.1'],
  ['0.0.1', '0.1'],
  ['0.1', '0.1.2'],
  ['1.9', '1.10'],
  ['1.0a1', '1.0b1', '1.0b2', '1.0b10', '1.0rc', '1.0'],
  ['0.9', '1.0a1'],
  ['1.0b', '1.0b2'],
  ['1.0 alpha', '1.0 beta'],
  ['1.0pre1', '1.0'],
  ['1.1b1', '1.1.0', '1.1.1b1'],
  ['258', '259', '260', '1000', '1000.1', '1000.1.1'],
  ['1.0.43+260', '1.0.43', '2', '260'],
  ['1.0.0+abc', '1.0.0'],
  ['v1.0', '1.0'],
  ['1.0x', '1.0.'],
  ['99999999999999999998', '99999999999999999999'],
]

test('versions rise as for Sparkle', () => {
  for (const row of RISING) {
    for (const [at, higher] of row.entries()) {
      expect.soft(compareAsSparkle(higher, higher), higher).toBe(0)
      for (const lower of row.slice(0, at)) {
        expect.soft(compareAsSparkle(lower, higher), `${lower} ${higher}`).toBeLessThan(0)
        expect.soft(compareAsSparkle(higher, lower), `${higher} ${lower}`).toBeGreaterThan(0)
      }
    }
  }
})

test.each([
  ['1.0', '1.0.0'],
  ['1', '1.0.0'],
  ['1.0.0-beta.1', '1.0.0-beta.2'],
  ['1.0.0-beta.1', '1.0.0'],
  ['007', '7'],
  ['1.0b,1', '1.0b 1'],
])('%s is the same as %s for Sparkle', (one, other) => {
  expect(compareAsSparkle(one, other)).toBe(0)
  expect(compareAsSparkle(other, one)).toBe(0)
})

test('of any two texts one is above the other, or they are the same', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0129ab.-+ _'), maxLength: 10 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(Math.sign(compareAsSparkle(one, other))).toBe(
        -Math.sign(compareAsSparkle(other, one)) + 0,
      )
    }),
  )
})
