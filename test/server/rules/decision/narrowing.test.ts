import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeviceFacts } from '../../../../src/server/rules/decision/device.ts'
import { narrowing } from '../../../../src/server/rules/decision/narrowing.ts'
import { compileTargets, matches } from '../../../../src/server/rules/decision/targets.ts'
import type { Targets } from '../../../../src/shared/releases/targets.ts'
import {
  device as anyDevice,
  targets as anyTargets,
} from '../../../support/builders/arbitraries.ts'
import { targetsOf } from '../../../support/builders/decision-facts.ts'

const found = (before: unknown, after: unknown) => narrowing(targetsOf(before), targetsOf(after))
const labels = (matchLabels: object) => ({ matchLabels })
const expressions = (...matchExpressions: object[]) => ({ matchExpressions })

const inEurope = { key: 'region', operator: 'In', values: ['eu', 'uk'] }
const hasRing = { key: 'ring', operator: 'Exists' }

/** Targets, and the same with some label keys dropped and values added, all reordered. */
const broadening = anyTargets.chain((before) => {
  const kept = fc.shuffledSubarray(Object.entries(before.matchLabels))
  const extra = fc.array(fc.constantFrom('beta', 'stable', 'eu', 'us'), { maxLength: 2 })
  const matchLabels = fc
    .tuple(kept, extra)
    .map(([entries, more]) =>
      Object.fromEntries(entries.map(([key, values]) => [key, [more, values].flat()])),
    )
  const { matchExpressions } = before
  const reordered = fc.shuffledSubarray(matchExpressions, { minLength: matchExpressions.length })
  const after = fc.record({ matchLabels, matchExpressions: reordered })
  return fc.record({ before: fc.constant(before), after })
})

const anyChange = fc.record({ before: anyTargets, after: anyTargets })

function meant(targets: Targets, device: DeviceFacts): boolean {
  const compiled = compileTargets(targets)
  return compiled === null || matches(compiled, device)
}

describe('a change of the targets of an offered release', () => {
  test('passes if it broadens', () => {
    fc.assert(
      fc.property(broadening, ({ before, after }) => {
        expect(narrowing(before, after)).toBeUndefined()
      }),
    )
  })

  test('keeps every targeted device if it passes', () => {
    const devices = fc.array(anyDevice, { maxLength: 20 })
    fc.assert(
      fc.property(fc.oneof(broadening, anyChange), devices, ({ before, after }, fleet) => {
        if (narrowing(before, after) !== undefined) return
        for (const device of fleet) {
          if (meant(before, device)) expect(meant(after, device)).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('is rejected if it also requires another label', () => {
    fc.assert(
      fc.property(broadening, ({ before, after }) => {
        const matchLabels = { ...after.matchLabels, unheard: 'of' }
        expect(narrowing(before, { ...after, matchLabels })).toBeDefined()
      }),
    )
  })

  test('is rejected if it also requires another fact, or drops an expression', () => {
    const unheard = { key: 'unheard', operator: 'Exists' } as const
    fc.assert(
      fc.property(broadening, ({ before, after }) => {
        const more = { ...after, matchExpressions: [...after.matchExpressions, unheard] }
        expect(narrowing(before, more)).toBeDefined()
        expect(narrowing({ ...more, matchLabels: before.matchLabels }, after)).toBeDefined()
      }),
    )
  })

  test.each([
    ['drops a key', labels({ ring: 'beta', region: 'eu' }), labels({ ring: 'beta' })],
    ['drops the last key', labels({ ring: 'beta' }), {}],
    ['adds a value', labels({ ring: ['beta'] }), labels({ ring: ['internal', 'beta'] })],
    [
      'turns a value into a list with it',
      labels({ ring: 'beta' }),
      labels({ ring: ['beta', 'internal'] }),
    ],
    ['does both', labels({ ring: 'beta', region: 'eu' }), labels({ region: ['us', 'eu'] })],
    ['writes a value as a list', labels({ ring: 'beta' }), labels({ ring: ['beta'] })],
    [
      'writes a list of one as a value',
      labels({ ring: ['beta', 'beta'] }),
      labels({ ring: 'beta' }),
    ],
    ['reorders values', labels({ ring: ['a', 'b'] }), labels({ ring: ['b', 'a'] })],
    ['reorders expressions', expressions(inEurope, hasRing), expressions(hasRing, inEurope)],
    ['repeats an expression', expressions(inEurope), expressions(inEurope, inEurope)],
    ['drops a repeated expression', expressions(inEurope, inEurope), expressions(inEurope)],
    [
      'reorders and repeats values of an expression',
      expressions(inEurope),
      expressions({ ...inEurope, values: ['uk', 'eu', 'uk'] }),
    ],
    ['writes absent values as none', expressions(hasRing), expressions({ ...hasRing, values: [] })],
    ['changes nothing', {}, {}],
  ])('passes if it %s', (_, before, after) => {
    expect(found(before, after)).toBeUndefined()
  })

  const added = { code: 'target_label_added' }
  const changed = { code: 'target_expressions_changed' }
  const removed = (value: string) => ({ code: 'target_value_removed', value })
  test.each([
    [
      'adds a key',
      labels({ ring: 'beta' }),
      labels({ ring: 'beta', region: 'eu' }),
      ['matchLabels', 'region'],
      added,
    ],
    ['adds the first key', {}, labels({ ring: 'beta' }), ['matchLabels', 'ring'], added],
    [
      'adds a key that objects inherit',
      {},
      labels({ constructor: 'x' }),
      ['matchLabels', 'constructor'],
      added,
    ],
    [
      'drops a value',
      labels({ ring: ['beta', 'internal'] }),
      labels({ ring: 'beta' }),
      ['matchLabels', 'ring'],
      removed('internal'),
    ],
    [
      'swaps a value',
      labels({ ring: 'beta' }),
      labels({ ring: 'stable' }),
      ['matchLabels', 'ring'],
      removed('beta'),
    ],
    [
      'drops one key and adds another',
      labels({ ring: 'beta' }),
      labels({ region: 'eu' }),
      ['matchLabels', 'region'],
      added,
    ],
    [
      'adds an expression',
      expressions(inEurope),
      expressions(inEurope, hasRing),
      ['matchExpressions', '1'],
      changed,
    ],
    [
      'drops an expression',
      expressions(inEurope, hasRing),
      expressions(inEurope),
      ['matchExpressions'],
      changed,
    ],
    [
      'widens an expression',
      expressions(inEurope),
      expressions({ ...inEurope, values: ['eu', 'uk', 'us'] }),
      ['matchExpressions', '0'],
      changed,
    ],
    [
      'changes an operator',
      expressions(inEurope),
      expressions({ ...inEurope, operator: 'NotIn' }),
      ['matchExpressions', '0'],
      changed,
    ],
    [
      'changes a key',
      expressions(hasRing),
      expressions({ ...hasRing, key: 'region' }),
      ['matchExpressions', '0'],
      changed,
    ],
    [
      'turns a label into an expression',
      labels({ ring: 'beta' }),
      expressions({ key: 'ring', operator: 'In', values: ['beta'] }),
      ['matchExpressions', '0'],
      changed,
    ],
  ])('is refused if it %s', (_, before, after, path, facts) => {
    expect(found(before, after)).toEqual({ ...facts, path })
  })
})
