import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyDelta, composeDeltas, mergeLabels } from '../../../src/server/fleet/labels.ts'
import type { LabelMap } from '../../../src/shared/names.ts'
import { codePoint } from '../../support/builders/code-point.ts'

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
        const { labels, kept, excess } = mergeLabels(stored, sent)
        expect(new Map(Object.entries(labels))).toEqual(model)
        expect(kept).toBe(labels)
        expect(excess).toBe(0)
        expect(JSON.stringify(stored)).toBe(before)
      }),
    )
  })

  test('answers the stored labels themselves exactly if nothing changed', () => {
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

  test('a merge, and two merges in one, turn the stored labels into the kept ones', () => {
    fc.assert(
      fc.property(storedLabels, sentLabels, sentLabels, (stored, sent, later) => {
        const first = mergeLabels(stored, sent, 4)
        const second = mergeLabels(first.kept, later, 4)
        const { delta: one, kept } = first
        const { delta: other } = second
        if (one === undefined) expect(kept).toBe(stored)
        else expect(applyDelta(stored, one)).toEqual(kept)
        if (one === undefined || other === undefined) return
        const both = composeDeltas(one, other)
        expect(applyDelta(stored, both)).toEqual(second.kept)
        // A batch may be given again.
        expect(applyDelta(second.kept, both)).toEqual(second.kept)
      }),
    )
  })

  test('a device holds 64 labels; further ones are left out in the order sent', () => {
    const { labels, kept, delta: _delta, ...rest } = mergeLabels(numbered(0, 62), numbered(100, 5))
    expect(Object.keys(kept)).toHaveLength(64)
    expect(kept).toMatchObject({ k100: 'x', k101: 'x' })
    expect(rest).toEqual({ excess: 3, exceeded: 'labels' })
    // The decision at hand sees them all.
    expect(labels).toEqual({ ...numbered(0, 62), ...numbered(100, 5) })
  })

  test('a full device still takes new values and removals', () => {
    const full = numbered(0, 64)
    expect(mergeLabels(full, { k0: 'new' })).toMatchObject({ labels: { k0: 'new' }, excess: 0 })
    const swapped = mergeLabels(full, { late: 'x', k0: '' })
    expect(swapped.excess).toBe(0)
    expect(swapped.labels).toEqual({ ...numbered(1, 63), late: 'x' })
    const refused = mergeLabels(full, { late: 'x' })
    expect([refused.excess, refused.kept]).toEqual([1, full])
    expect(refused.labels).toEqual({ ...full, late: 'x' })
  })

  test('the labels of a device never exceed their bytes in UTF-8', () => {
    const text = fc.string({ unit: codePoint, maxLength: 40 })
    const many = fc.dictionary(fc.stringMatching(/^[a-f]{1,3}$/), text, { maxKeys: 30 })
    fc.assert(
      fc.property(many, fc.array(many, { maxLength: 4 }), (first, rest) => {
        const bytes = (labels: LabelMap) =>
          Buffer.byteLength(Object.entries(labels).flat().join(''))
        let { kept } = mergeLabels({}, first, 200)
        for (const sent of rest) {
          expect(bytes(kept)).toBeLessThanOrEqual(200)
          const merged = mergeLabels(kept, sent, 200)
          expect(mergeLabels(merged.kept, sent, 200).kept).toBe(merged.kept)
          for (const [key, value] of Object.entries(merged.kept)) {
            expect([kept[key], sent[key]]).toContain(value)
          }
          if (merged.excess === 0) expect(merged.kept).toEqual(merged.labels)
          else expect(bytes(merged.labels)).toBeGreaterThan(200)
          kept = merged.kept
        }
      }),
    )
  })

  test('removed labels count first, and a device above its limit can still shrink', () => {
    const stored = { a: 'x'.repeat(99), b: 'y'.repeat(99) }
    const swapped = mergeLabels(stored, { c: 'z'.repeat(99), a: '' }, 200)
    expect(swapped).toMatchObject({ excess: 0, kept: { b: stored.b, c: 'z'.repeat(99) } })
    const above = mergeLabels(stored, { b: 'short', c: 'z'.repeat(99) }, 100)
    expect(above).toMatchObject({ exceeded: 'bytes', kept: { a: stored.a, b: 'short' } })
    expect(mergeLabels(stored, { a: 'w'.repeat(99) }, 100).excess).toBe(0)
  })
})

function sorted(labels: LabelMap): [string, string][] {
  return Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))
}
