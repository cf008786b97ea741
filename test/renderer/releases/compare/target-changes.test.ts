import fc from 'fast-check'
import { expect, test } from 'vitest'
import { targetChanges } from '../../../../src/renderer/releases/compare/changes.ts'
import { type MatchExpression, Targets } from '../../../../src/shared/releases/targets.ts'

const targets = (members: unknown) => Targets.parse(members)

const expression = fc.record({
  key: fc.constantFrom('ring', 'site', 'device.platform'),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
})
const arbitrary = fc
  .record({
    matchLabels: fc.dictionary(fc.constantFrom('ring', 'team'), fc.constantFrom('a', 'b')),
    matchExpressions: fc.array(expression, { maxLength: 4 }),
  })
  .map(targets)

/** What a condition says, whatever the order of its values. */
const meaning = ({ key, operator, values = [] }: MatchExpression) =>
  JSON.stringify([key, operator, [...new Set(values)].sort()])

/** What the conditions say together. */
function meanings({ matchLabels, matchExpressions }: Targets): string[] {
  const labels = Object.entries(matchLabels).map(([key, values]) =>
    meaning({ key, operator: 'In', values: [values].flat() }),
  )
  return [...new Set([...labels, ...matchExpressions.map(meaning)])].sort()
}

test('every condition of both is in the changes once, and the same ones are in both', () => {
  fc.assert(
    fc.property(arbitrary, arbitrary, (from, to) => {
      const changes = targetChanges(from, to)
      const of = (side: 'from' | 'to') => changes.flatMap((change) => change[side] ?? [])
      expect(of('from').map(meaning).sort()).toEqual(meanings(from))
      expect(of('to').map(meaning).sort()).toEqual(meanings(to))
      const both = meanings(from).filter((text) => meanings(to).includes(text))
      const same = changes.filter(({ kind }) => kind === 'same')
      expect(same.flatMap(({ to }) => (to ? meaning(to) : [])).sort()).toEqual(both)
    }),
  )
})

test('a condition with other values is changed, one with another operator is another one', () => {
  const from = targets({ matchLabels: { ring: ['a', 'b'], site: 'x' } })
  const to = targets({
    matchLabels: { ring: ['a'] },
    matchExpressions: [{ key: 'site', operator: 'NotIn', values: ['x'] }],
  })
  expect(targetChanges(from, to)).toEqual([
    {
      kind: 'changed',
      from: { key: 'ring', operator: 'In', values: ['a', 'b'] },
      to: { key: 'ring', operator: 'In', values: ['a'] },
    },
    { kind: 'removed', from: { key: 'site', operator: 'In', values: ['x'] }, to: undefined },
    { kind: 'added', from: undefined, to: { key: 'site', operator: 'NotIn', values: ['x'] } },
  ])
})

test('a label and an expression that say the same are the same', () => {
  const label = targets({ matchLabels: { ring: ['a', 'b'] } })
  const written = { key: 'ring', operator: 'In', values: ['b', 'a'] }
  expect(
    targetChanges(label, targets({ matchExpressions: [written] })).map(({ kind }) => kind),
  ).toEqual(['same'])
})
