import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idRanges } from '../../../../../../src/server/storage/shared/id-ranges.ts'

const ID = fc.string({ unit: fc.constantFrom('a', 'B', 'z', '0', '_', '['), maxLength: 12 })

test('ranges hold every id that begins with the prefix in any case, in order and apart', () => {
  fc.assert(
    fc.property(ID, ID, fc.infiniteStream(fc.boolean()), (prefix, rest, upper) => {
      const id = [...prefix]
        .map((one) => (upper.next().value === true ? one.toUpperCase() : one.toLowerCase()))
        .join('')
        .concat(rest)
      const ranges = idRanges(prefix)
      expect(ranges.some(({ from, to }) => from <= id && id < to)).toBe(true)
      expect(ranges.length).toBeLessThanOrEqual(64)
      for (const [index, { to }] of ranges.entries()) {
        const next = ranges[index + 1]
        if (next !== undefined) expect(to <= next.from).toBe(true)
      }
    }),
  )
})
