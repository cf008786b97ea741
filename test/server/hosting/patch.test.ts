import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noise } from '../../support/builders/noise.ts'
import { changed, patched, patchOf } from '../../support/builders/patches.ts'

const MIB = 1_024 ** 2

test('what a patch makes of a base is the new content, whatever is moved, left out or added', () => {
  const piece = fc.oneof(
    fc.record({ from: fc.nat(300_000), length: fc.nat(200_000) }),
    fc.record({ noise: fc.nat(140_000) }),
    fc.record({ zeros: fc.nat(140_000) }),
  )
  fc.assert(
    fc.property(fc.nat(300_000), fc.array(piece, { maxLength: 6 }), (size, pieces) => {
      const base = Buffer.concat([noise(size, 'base'), Buffer.alloc(size % 1_000)])
      const next = Buffer.concat(
        pieces.map((each, at) => {
          if ('noise' in each) return noise(each.noise, `new ${at}`)
          if ('zeros' in each) return Buffer.alloc(each.zeros)
          return base.subarray(each.from, each.from + each.length)
        }),
      )
      expect(patched(base, patchOf(base, next)).equals(next)).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test.for([
  ...[0, 1, 31, 32, 33, 34, 131_071, 131_072, 131_073, 131_074, 131_075, 262_145],
  ...[MIB, MIB + 1, 1.125 * MIB, 1.125 * MIB + 1, 2 * MIB - 1, 2 * MIB],
])('a content of %i bytes is the same again', (size) => {
  const base = noise(size, 'base')
  expect(patched(base, patchOf(base, base)).equals(base)).toBe(true)
})

test('a changed block of a file of 8 MiB is little more than the block', () => {
  const base = noise(8 * MIB, 'base')
  const next = changed(base, 3 * MIB + 123, noise(32_768, 'new'))
  const patch = patchOf(base, next)
  expect(patched(base, patch).equals(next)).toBe(true)
  expect(patch.length).toBeLessThan(34_000)
})

test('a patch names its base as RFC 9842 says', () => {
  const base = noise(1_000, 'base')
  const patch = patchOf(base, base)
  expect(patch.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000')
  expect(patch.subarray(8, 40)).toEqual(createHash('sha256').update(base).digest())
})
