import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeLabels } from '../../src/server/fleet/labels.ts'
import type { LabelMap } from '../../src/shared/names.ts'

const key = fc.constantFrom('ring', 'site', 'a', 'b', '1', 'constructor', 'toString', 'valueOf')
const value = fc.constantFrom('', 'x', 'y')
const sentLabels = fc.dictionary(key, value, { noNullPrototype: true })
const storedLabels = fc.dictionary(key, fc.constantFrom('x', 'y'), { noNullPrototype: true })

function numbered(from: number, count: number, text = 'x'): LabelMap {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, text]))
}

describe('merging labels', () => {
  test('a value replaces, an empty value removes, the rest stays', () => {
    fc.assert(
      fc.property(storedLabels, sentLabels, (stored, sent) => {
        const model = new Map(Object.entries(stored))
        for (const [name, text] of Object.entries(sent)) {
          if (text === '') model.delete(name)
          else model.set(name, text)
        }
        const before = JSON.stringify(stored)
        const { labels, excess } = mergeLabels(stored, sent)
        expect(new Map(Object.entries(labels))).toEqual(model)
        expect(excess).toBe(0)
        expect(JSON.stringify(stored)).toBe(before)
      }),
    )
  })

  test('answers the stored labels themselves exactly where nothing changed', () => {
    fc.assert(
      fc.property(storedLabels, sentLabels, (stored, sent) => {
        const { labels } = mergeLabels(stored, sent)
        const same = JSON.stringify(sorted(labels)) === JSON.stringify(sorted(stored))
        expect(labels === stored).toBe(same)
      }),
    )
  })

  test('merging the same labels twice changes nothing more', () => {
    fc.assert(
      fc.property(storedLabels, sentLabels, (stored, sent) => {
        const { labels } = mergeLabels(stored, sent)
        expect(mergeLabels(labels, sent).labels).toBe(labels)
      }),
    )
  })

  test('a device holds 64 labels; further ones are left out in the order sent', () => {
    const { labels, excess } = mergeLabels(numbered(0, 62), numbered(100, 5))
    expect(Object.keys(labels)).toHaveLength(64)
    expect(labels).toMatchObject({ k100: 'x', k101: 'x' })
    expect(excess).toBe(3)
  })

  test('a full device still takes new values and removals', () => {
    const full = numbered(0, 64)
    expect(mergeLabels(full, { k0: 'new' })).toMatchObject({ labels: { k0: 'new' }, excess: 0 })
    const swapped = mergeLabels(full, { late: 'x', k0: '' })
    expect(swapped.excess).toBe(0)
    expect(swapped.labels).toEqual({ ...numbered(1, 63), late: 'x' })
    const refused = mergeLabels(full, { late: 'x' })
    expect([refused.excess, refused.labels]).toEqual([1, full])
  })
})

function sorted(labels: LabelMap): [string, string][] {
  return Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))
}
