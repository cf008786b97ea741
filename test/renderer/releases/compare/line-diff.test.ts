import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  diffLines,
  type LineRun,
  linesOf,
} from '../../../../src/renderer/releases/compare/notes-panel.tsx'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
const bounds = fc.record({ maxEditLength: fc.nat({ max: 8 }), timeout: fc.constant(60_000) })
const ample = { maxEditLength: 1_000, timeout: 60_000 }

const of = (runs: readonly LineRun[], ...kinds: LineRun['kind'][]) =>
  runs.filter(({ kind }) => kinds.includes(kind)).flatMap(({ lines }) => lines)

test('both texts can be read from the runs, within any bounds', () => {
  fc.assert(
    fc.property(lines, lines, bounds, (before, after, bounds) => {
      const { runs } = diffLines(before, after, bounds)
      expect(of(runs, 'same', 'removed')).toEqual(before)
      expect(of(runs, 'same', 'added')).toEqual(after)
    }),
  )
})

test('runs are not empty, and those of one kind are not next to each other', () => {
  fc.assert(
    fc.property(lines, lines, bounds, (before, after, bounds) => {
      const { runs } = diffLines(before, after, bounds)
      expect(runs.every(({ lines }) => lines.length > 0)).toBe(true)
      for (const [index, { kind }] of runs.slice(1).entries()) {
        expect(kind).not.toBe(runs[index]?.kind)
        // What was added comes after what was removed in its place.
        if (kind === 'removed') expect(runs[index]?.kind).toBe('same')
      }
    }),
  )
})

test('a text is the same as itself', () => {
  fc.assert(
    fc.property(lines, (text) => {
      const runs = text.length === 0 ? [] : [{ kind: 'same', lines: text }]
      expect(diffLines(text, text, { ...ample, maxEditLength: 0 }).runs).toEqual(runs)
    }),
  )
})

test('more changes than allowed make one change between the common ends', () => {
  const before = ['first', 'a', 'b', 'c', 'last']
  const after = ['first', 'x', 'b', 'y', 'last']
  expect(diffLines(before, after, { ...ample, maxEditLength: 3 })).toEqual({
    runs: [
      { kind: 'same', lines: ['first'] },
      { kind: 'removed', lines: ['a', 'b', 'c'] },
      { kind: 'added', lines: ['x', 'b', 'y'] },
      { kind: 'same', lines: ['last'] },
    ],
    isExact: false,
  })
  expect(diffLines(before, after, { ...ample, maxEditLength: 4 }).isExact).toBe(true)
})

test('a search that takes too long makes one change too', () => {
  const before = ['x', 'same', 'last']
  const after = ['same', 'y', 'last']
  expect(diffLines(before, after, { ...ample, timeout: -1 })).toMatchObject({
    runs: [{ lines: ['x', 'same'] }, { lines: ['same', 'y'] }, { lines: ['last'] }],
    isExact: false,
  })
  expect(diffLines(before, after, ample).isExact).toBe(true)
})

test('notes of 65,000 lines without a common one are within the bounds', () => {
  const [before, after] = ['a', 'b'].map((name) =>
    Array.from({ length: 65_000 }, (_, n) => name + n),
  )
  const { runs, isExact } = diffLines(before ?? [], after ?? [])
  expect(isExact).toBe(false)
  expect(runs.map(({ kind, lines }) => [kind, lines.length])).toEqual([
    ['removed', 65_000],
    ['added', 65_000],
  ])
})

test('a text has the lines that a person sees', () => {
  expect(linesOf('')).toEqual([])
  expect(linesOf('one')).toEqual(['one'])
  expect(linesOf('one\r\ntwo\r\rfour\n')).toEqual(['one', 'two', '', 'four'])
  expect(linesOf('one\n\n')).toEqual(['one', ''])
})
