import fc from 'fast-check'
import semver from 'semver'
import { describe, expect, test } from 'vitest'
import { compareVersions, parseVersion } from '../../../../src/server/rules/decision/version.ts'
import { compareAsSparkle } from '../../../../src/shared/artifacts/documents/sparkle-order.ts'
import { Version } from '../../../../src/shared/names.ts'
import { readVersion } from '../../../../src/shared/releases/version.ts'
import {
  closeVersion,
  versionOfOneCore,
  versionText,
} from '../../../support/builders/arbitraries.ts'
import { compareAsClient } from '../../http/check/updater-client.ts'

const anyPair = fc.oneof(
  fc.tuple(versionText, versionText),
  fc.tuple(versionOfOneCore, versionOfOneCore),
  fc.tuple(closeVersion, closeVersion),
)

function compare(a: string, b: string): number {
  return Math.sign(compareVersions(parseVersion(a), parseVersion(b)))
}

describe('reading a version', () => {
  test('drops one leading v and keeps the build metadata', () => {
    expect(Version.parse('v1.2.3-rc.1+build.7')).toBe('1.2.3-rc.1+build.7')
    expect(parseVersion('v1.2.3+7')).toMatchObject({
      text: '1.2.3+7',
      core: [1, 2, 3],
      build: ['7'],
    })
  })

  test.each([
    ['vv1.2.3', 'must be a semantic version'],
    ['V1.2.3', 'must be a semantic version'],
    ['1.2', 'must be a semantic version'],
    ['1.2.3.4', 'must be a semantic version'],
    ['01.2.3', 'must be a semantic version'],
    ['1.2.3-rc.01', 'must be a semantic version'],
    ['1.2.3-', 'must be a semantic version'],
    ['1.2.3+', 'must be a semantic version'],
    [' 1.2.3', 'must be a semantic version'],
    ['1.2.3\n', 'must be a semantic version'],
    ['', 'must be a semantic version'],
    ['9007199254740992.0.0', 'above 9007199254740991'],
    ['1.2.3-rc.9007199254740992', 'pre-release number above 9007199254740991'],
    ['1.2.3+01', 'leading zeros in its build metadata'],
    [`1.2.3-${'a'.repeat(251)}`, 'at most 256 characters'],
  ])('rejects %j with the reason', (text, reason) => {
    const read = readVersion(text)
    expect(read).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
    expect(() => parseVersion(text)).toThrow(RangeError)
  })

  test.each([
    '9007199254740991.0.0',
    '1.2.3-9007199254740991',
    '1.2.3--',
    '1.2.3-0a',
    '1.2.3+0',
    '1.2.3+01a',
    '1.2.3+20260314092653589001',
    `1.2.3-${'a'.repeat(250)}`,
  ])('accepts %j as it is', (text) => {
    expect(Version.parse(text)).toBe(text)
  })
})

describe('the order of versions', () => {
  test('agrees with npm semver.compareBuild', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        expect(compare(a, b)).toBe(semver.compareBuild(a, b))
      }),
      { numRuns: 5_000 },
    )
  })

  test('is a total order: antisymmetric, transitive, and 0 only for the same text', () => {
    fc.assert(
      fc.property(closeVersion, closeVersion, closeVersion, (a, b, c) => {
        expect(compare(a, b) + compare(b, a)).toBe(0)
        expect(compare(a, b) === 0).toBe(a === b)
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 5_000 },
    )
  })

  test('of four numbers is that of the clients, with the last one as build metadata', () => {
    const numbers = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(12))
    const written = ([major, minor, patch, last]: readonly number[]) =>
      `${major}.${minor}.${patch}+${last}`
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const at = a.findIndex((each, index) => each !== b[index])
        const expected = Math.sign((a[at] ?? 0) - (b[at] ?? 0))
        const [one, other] = [written(a), written(b)]
        expect(Math.sign(compare(one, other))).toBe(expected)
        expect(compareAsClient(one, other)).toBe(expected)
        expect(compareAsSparkle(a.join('.'), b.join('.'))).toBe(expected)
      }),
    )
  })

  test('sorts the ladder of SemVer 2.0.0 section 11, then build metadata', () => {
    const ladder = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.0+2',
      '1.0.0+11',
      '1.0.0+11.a',
      '1.0.0+a',
      '1.0.1',
      '1.1.0',
      '2.0.0',
      '10.0.0',
    ]
    const shuffled = ladder.toSorted().map(parseVersion)
    expect(shuffled.sort(compareVersions).map(({ text }) => text)).toEqual(ladder)
  })

  test('compares complete identifiers: numbers before words, and hyphens are not dots', () => {
    const ladder = [
      '1.0.0-9',
      '1.0.0-9000000000',
      '1.0.0--',
      '1.0.0-0-',
      '1.0.0-0000a',
      '1.0.0-a',
      '1.0.0-a.1',
      '1.0.0-a.b',
      '1.0.0-a-',
      '1.0.0-a-1b',
      '1.0.0-a-b',
      '1.0.0-a0',
    ]
    const sorted = ladder.toReversed().map(parseVersion).sort(compareVersions)
    expect(sorted.map(({ text }) => text)).toEqual(ladder)
    expect(ladder.toSorted(semver.compareBuild)).toEqual(ladder)
  })

  test('is exact for build numbers above 2^53, such as timestamps', () => {
    expect(compare('1.2.3+20260314092653589001', '1.2.3+20260314092653589002')).toBe(-1)
    expect(compare('1.2.3+9007199254740993', '1.2.3+9007199254740992')).toBe(1)
    expect(compare('1.2.3+99999999999999999', '1.2.3+100000000000000000')).toBe(-1)
    const hugest = (digit: string) => `1.2.3+${digit.repeat(250)}`
    expect(compare(hugest('1'), hugest('2'))).toBe(-1)
    expect(compare(hugest('9'), `1.2.3+1`)).toBe(1)
  })

  test('distinguishes releases that differ only in build metadata', () => {
    expect(compare('1.2.3+1', '1.2.3+2')).toBe(-1)
    expect(compare('1.2.3', '1.2.3+0')).toBe(-1)
  })
})
