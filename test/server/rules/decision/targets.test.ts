import fc from 'fast-check'
import semver from 'semver'
import { describe, expect, test } from 'vitest'
import type { DeviceFacts } from '../../../../src/server/rules/decision/device.ts'
import { isInRange, parseRange } from '../../../../src/server/rules/decision/range.ts'
import {
  compileTargets,
  failedCondition,
  invalidRange,
  matches,
} from '../../../../src/server/rules/decision/targets.ts'
import { parseVersion, UNKNOWN_VERSION } from '../../../../src/server/rules/decision/version.ts'
import {
  device as anyDevice,
  targets as anyTargets,
  closeVersion,
  rangeText,
} from '../../../support/builders/arbitraries.ts'
import { deviceOn, targetsOf } from '../../../support/builders/decision-facts.ts'

function meant(input: unknown, device: DeviceFacts): boolean {
  const compiled = compileTargets(targetsOf(input))
  return compiled === null || matches(compiled, device)
}

const labelled = (labels: Record<string, string>) => deviceOn('1.0.0', { labels })

function holdsFor(expression: object, device: DeviceFacts): boolean {
  return meant({ matchExpressions: [expression] }, device)
}

describe('targets', () => {
  test('that name nothing mean every device', () => {
    expect(compileTargets(targetsOf({}))).toBeNull()
  })

  test('need every label, and of a list any value', () => {
    const input = { matchLabels: { ring: ['beta', 'internal'], region: 'eu' } }
    expect(meant(input, labelled({ ring: 'internal', region: 'eu', other: 'x' }))).toBe(true)
    expect(meant(input, labelled({ ring: 'internal' }))).toBe(false)
    expect(meant(input, labelled({ ring: 'stable', region: 'eu' }))).toBe(false)
  })

  test('need labels and every expression', () => {
    const expressions = [
      { key: 'region', operator: 'Exists' },
      { key: 'region', operator: 'NotIn', values: ['us'] },
    ]
    const input = { matchLabels: { ring: 'beta' }, matchExpressions: expressions }
    expect(meant(input, labelled({ ring: 'beta', region: 'eu' }))).toBe(true)
    expect(meant(input, labelled({ ring: 'beta', region: 'us' }))).toBe(false)
    expect(meant(input, labelled({ region: 'eu' }))).toBe(false)
  })

  test('do not treat inherited members as labels', () => {
    expect(holdsFor({ key: 'constructor', operator: 'Exists' }, labelled({}))).toBe(false)
    expect(holdsFor({ key: 'toString', operator: 'DoesNotExist' }, labelled({}))).toBe(true)
    expect(meant({ matchLabels: { constructor: 'x' } }, labelled({ constructor: 'x' }))).toBe(true)
  })
})

describe('the operators', () => {
  const values = ['beta', 'internal']
  test.each([
    { operator: 'In', values, listed: true, unlisted: false, absent: false },
    { operator: 'NotIn', values, listed: false, unlisted: true, absent: true },
    { operator: 'Exists', listed: true, unlisted: true, absent: false },
    { operator: 'DoesNotExist', listed: false, unlisted: false, absent: true },
  ])('$operator follows Kubernetes', ({ listed, unlisted, absent, ...rest }) => {
    const expression = { key: 'ring', ...rest }
    expect(holdsFor(expression, labelled({ ring: 'beta' }))).toBe(listed)
    expect(holdsFor(expression, labelled({ ring: 'stable' }))).toBe(unlisted)
    expect(holdsFor(expression, labelled({}))).toBe(absent)
  })

  test('VersionIn compares a label that is a version, and holds for no other', () => {
    const expression = { key: 'schema', operator: 'VersionIn', values: ['^2.0.0', '>=4.0.0'] }
    expect(holdsFor(expression, labelled({ schema: '2.1.0' }))).toBe(true)
    expect(holdsFor(expression, labelled({ schema: 'v4.0.0' }))).toBe(true)
    expect(holdsFor(expression, labelled({ schema: '3.0.0' }))).toBe(false)
    expect(holdsFor(expression, labelled({ schema: '2' }))).toBe(true)
    expect(holdsFor(expression, labelled({ schema: '3.9.9.1' }))).toBe(false)
    expect(holdsFor(expression, labelled({ schema: 'two' }))).toBe(false)
    expect(holdsFor(expression, labelled({}))).toBe(false)
  })

  test('VersionIn counts pre-releases', () => {
    const expression = { key: 'device.version', operator: 'VersionIn', values: ['>=1.0.0 <2.0.0'] }
    expect(holdsFor(expression, deviceOn('1.5.0-rc.1'))).toBe(true)
    expect(holdsFor(expression, deviceOn('1.0.0-rc.1'))).toBe(false)
    expect(holdsFor(expression, deviceOn('2.0.0-rc.1'))).toBe(true)
    const caret = { ...expression, values: ['^1.0.0'] }
    expect(holdsFor(caret, deviceOn('2.0.0-rc.1'))).toBe(false)
  })

  test('VersionIn agrees with npm semver.satisfies', () => {
    fc.assert(
      fc.property(rangeText, closeVersion, (text, version) => {
        const range = parseRange(text)
        const expected = semver.satisfies(version, text, { includePrerelease: true })
        expect(range && isInRange(range, parseVersion(version))).toBe(expected)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('the facts of a device', () => {
  test('device.id is absent for a device without an ID', () => {
    const anonymous = deviceOn('1.0.0', { deviceId: null })
    const expression = { key: 'device.id', operator: 'In', values: ['device-1'] }
    expect(holdsFor(expression, deviceOn('1.0.0'))).toBe(true)
    expect(holdsFor(expression, anonymous)).toBe(false)
    expect(holdsFor({ ...expression, operator: 'NotIn' }, anonymous)).toBe(true)
    expect(holdsFor({ key: 'device.id', operator: 'DoesNotExist' }, anonymous)).toBe(true)
  })

  test('device.version is not set on a device that does not name its version', () => {
    const device = { ...deviceOn('1.0.0'), version: UNKNOWN_VERSION }
    const key = 'device.version'
    expect(holdsFor({ key, operator: 'Exists' }, device)).toBe(false)
    expect(holdsFor({ key, operator: 'DoesNotExist' }, device)).toBe(true)
    expect(holdsFor({ key, operator: 'NotIn', values: ['1.0.0'] }, device)).toBe(true)
    expect(holdsFor({ key, operator: 'VersionIn', values: ['*'] }, device)).toBe(false)
  })

  test('device.version is the canonical text, also in the values', () => {
    const expression = { key: 'device.version', operator: 'In', values: ['v1.2.3+7'] }
    expect(holdsFor(expression, deviceOn('1.2.3+7'))).toBe(true)
    expect(holdsFor(expression, deviceOn('v1.2.3+7'))).toBe(true)
    expect(holdsFor(expression, deviceOn('1.2.3'))).toBe(false)
  })

  test('device.platform and device.arch are compared after aliases on both sides', () => {
    const windows = deviceOn('1.0.0', { platform: 'win32', arch: 'amd64' })
    expect(holdsFor({ key: 'device.platform', operator: 'In', values: ['Win'] }, windows)).toBe(
      true,
    )
    expect(holdsFor({ key: 'device.arch', operator: 'NotIn', values: ['x64'] }, windows)).toBe(
      false,
    )
    expect(holdsFor({ key: 'device.platform', operator: 'In', values: ['mac'] }, windows)).toBe(
      false,
    )
  })

  test('come from the device, never from a label of the same name', () => {
    const liar = deviceOn('1.0.0', { deviceId: null, labels: { 'device.id': 'vip' } })
    expect(holdsFor({ key: 'device.id', operator: 'Exists' }, liar)).toBe(false)
    expect(meant({ matchLabels: { 'device.id': 'vip' } }, liar)).toBe(false)
    expect(meant({ matchLabels: { 'device.platform': 'macos' } }, liar)).toBe(true)
  })

  test('decide without labels if the targets do not need them', () => {
    const onDevice = { key: 'device.version', operator: 'VersionIn', values: ['1.x'] }
    const onLabel = { key: 'ring', operator: 'Exists' }
    const readsLabels = (input: unknown) => compileTargets(targetsOf(input))?.readsLabels
    expect(readsLabels({ matchExpressions: [onDevice] })).toBe(false)
    expect(readsLabels({ matchExpressions: [onDevice, onLabel] })).toBe(true)
    expect(readsLabels({ matchLabels: { ring: 'beta' } })).toBe(true)
    fc.assert(
      fc.property(anyTargets, anyDevice, (targets, device) => {
        const compiled = compileTargets(targets)
        if (compiled === null || compiled.readsLabels) return
        expect(matches(compiled, { ...device, labels: {} })).toBe(matches(compiled, device))
      }),
    )
  })
})

describe('an invalid range in targets', () => {
  test('is named by its path', () => {
    const versionIn = (...values: string[]) => ({ key: 'schema', operator: 'VersionIn', values })
    const targets = targetsOf({
      matchExpressions: [
        { key: 'schema', operator: 'In', values: ['no range'] },
        versionIn('^1', 'newest'),
      ],
    })
    expect(invalidRange(targets)).toEqual(['matchExpressions', '1', 'values', '1'])
    expect(() => compileTargets(targets)).toThrow('"newest" is not a version range')
    expect(
      invalidRange(targetsOf({ matchExpressions: [versionIn('^1', '>=2 <3 || 5.x')] })),
    ).toBeUndefined()
  })

  test.each(['newest', '1.2.3.4', '>=', '^9007199254740991.0.0', '1.0.0 - '])(
    'is found or the range compiles, never neither: %j',
    (text) => {
      const targets = targetsOf({
        matchExpressions: [{ key: 'schema', operator: 'VersionIn', values: [text] }],
      })
      if (invalidRange(targets) === undefined) expect(compileTargets(targets)).not.toBeNull()
      else expect(() => compileTargets(targets)).toThrow(RangeError)
    },
  )
})

describe('the failed condition', () => {
  const why = (expression: object, device: DeviceFacts) => {
    const compiled = compileTargets(targetsOf({ matchExpressions: [expression] }))
    return compiled && failedCondition(compiled, device)
  }
  const ring = { key: 'ring', operator: 'In', values: ['beta', 'internal'] }
  const version = { key: 'device.version', operator: 'VersionIn', values: ['^2.0.0'] }

  const list = { operator: 'In', values: ['beta', 'internal'], moreValues: 0 }
  test.each([
    [ring, { ring: 'stable' }, { code: 'mismatch', key: 'ring', value: 'stable', ...list }],
    [ring, {}, { code: 'not_set', key: 'ring' }],
    [
      { ...ring, operator: 'NotIn' },
      { ring: 'beta' },
      { code: 'mismatch', key: 'ring', value: 'beta', ...list, operator: 'NotIn' },
    ],
    [{ key: 'ring', operator: 'Exists' }, {}, { code: 'not_set', key: 'ring' }],
    [
      { key: 'ring', operator: 'DoesNotExist' },
      { ring: 'beta' },
      {
        ...{ code: 'mismatch', key: 'ring', value: 'beta' },
        ...{ operator: 'DoesNotExist', values: [], moreValues: 0 },
      },
    ],
    [
      version,
      {},
      {
        ...{ code: 'mismatch', key: 'device.version', value: '1.0.0' },
        ...{ operator: 'VersionIn', values: ['^2.0.0'], moreValues: 0 },
      },
    ],
    [
      { ...version, key: 'ring' },
      { ring: 'beta' },
      { code: 'not_a_version', key: 'ring', value: 'beta' },
    ],
    [
      { ...ring, values: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      { ring: 'x' },
      {
        ...{ code: 'mismatch', key: 'ring', value: 'x', operator: 'In' },
        ...{ values: ['a', 'b', 'c', 'd', 'e'], moreValues: 2 },
      },
    ],
  ])('of %j for %j is %j', (expression, labels, condition) => {
    expect(why(expression, labelled(labels))).toEqual(condition)
  })

  test('is present exactly if the targets do not match', () => {
    fc.assert(
      fc.property(anyTargets, anyDevice, (targets, device) => {
        const compiled = compileTargets(targets)
        if (compiled === null) return
        expect(failedCondition(compiled, device) === undefined).toBe(matches(compiled, device))
      }),
    )
  })
})
