import { describe, expect, test } from 'vitest'
import {
  findArtifact,
  indexArtifacts,
  kindsFor,
} from '../../../../src/server/rules/decision/artifacts.ts'
import { OTHER } from '../../../../src/shared/devices/counting.ts'
import { artifactFor } from '../../../support/builders/decision-facts.ts'

type Targets = readonly `${string}/${string}`[]

/** The artifacts of a release, each as `arch` or `arch/kind`. */
function indexOf(platform: string, targets: Targets | readonly string[]) {
  return indexArtifacts(
    targets.map((target) => {
      const [arch = '', kind = ''] = target.split('/')
      return artifactFor(platform, arch, kind)
    }),
  )
}

/** The artifact that a device of x86_64 gets, as `arch` or `arch/kind`. */
function found(platform: string, targets: readonly string[], bundle: string): string | undefined {
  const artifact = findArtifact(indexOf(platform, targets), platform, 'x86_64', bundle)
  return artifact && [artifact.arch, artifact.kind].filter((part) => part !== '').join('/')
}

const LINUX = ['x64/deb', 'x64/rpm', 'x64/appimage']

describe('the artifact for a device that names its bundle', () => {
  test.each([
    ['is the one of that kind', LINUX, 'rpm', 'x64/rpm'],
    ['is the one of that kind, not the one without a kind', ['x64', ...LINUX], 'deb', 'x64/deb'],
    ['is else the one without a kind', ['x64/deb', 'x64'], 'rpm', 'x64'],
    ['is else the only one', ['x64/txz'], 'deb', 'x64/txz'],
    [
      'is not the only one if that is of another kind that updaters know',
      ['x64/appimage'],
      'deb',
      undefined,
    ],
    ['is not such a one for any arch', ['any/appimage'], 'rpm', undefined],
    [
      'is not such a one for its own arch before one for any',
      ['x64/appimage', 'any/txz'],
      'rpm',
      undefined,
    ],
    ['is not such a one the other way round', ['x64/pacman'], 'appimage', undefined],
    ['is never the usual one of several', LINUX, 'snap', undefined],
    ['is of its own arch', ['any/deb', 'x64/deb'], 'deb', 'x64/deb'],
    [
      'without a kind for its own arch goes before its kind for any arch',
      ['x64', 'any/deb'],
      'deb',
      'x64',
    ],
    [
      'is of its kind for any arch before the only one for its own',
      ['x64/rpm', 'any/deb'],
      'deb',
      'any/deb',
    ],
    [
      'is the only one for its own arch before the only one for any',
      ['x64/rpm', 'any/deb'],
      'snap',
      'x64/rpm',
    ],
    [
      'is the only one for any arch if there are several for its own',
      ['x64/rpm', 'x64/deb', 'any/appimage'],
      'snap',
      'any/appimage',
    ],
    ['is that of any arch without one for its own', ['any/deb', 'any/rpm'], 'rpm', 'any/rpm'],
    ['is not of another arch', ['arm64/deb'], 'deb', undefined],
  ])('%s: %j with %s', (_, targets, bundle, expected) => {
    expect(found('linux', targets, bundle)).toBe(expected)
    expect(found('linux', targets.toReversed(), bundle)).toBe(expected)
  })
})

describe('the artifact for a device that names no bundle', () => {
  test.each([
    ['linux', LINUX, 'x64/appimage'],
    ['linux', ['x64', ...LINUX], 'x64'],
    ['linux', ['x64/deb', 'x64/rpm'], undefined],
    ['linux', ['x64/deb'], 'x64/deb'],
    ['linux', ['x64/deb', 'any/appimage'], 'any/appimage'],
    ['windows', ['x64/msi', 'x64/nsis'], 'x64/nsis'],
    ['darwin', ['any/dmg', 'any/app'], 'any/app'],
    ['darwin', ['any/dmg', 'any/zip'], 'any/zip'],
    ['darwin', ['any/zip', 'any/app'], 'any/app'],
    ['freebsd', ['x64/appimage', 'x64/txz'], undefined],
  ])('%s: %j', (platform, targets, expected) => {
    expect(found(platform, targets, '')).toBe(expected)
    expect(found(platform, targets.toReversed(), '')).toBe(expected)
  })
})

test('a device whose bundle is not known gets one of the artifacts', () => {
  expect(found('linux', LINUX, OTHER)).toBe('x64/appimage')
  expect(found('linux', ['x64/deb', 'x64/rpm'], OTHER)).toBe('x64/deb')
  expect(found('linux', ['arm64/deb'], OTHER)).toBeUndefined()
})

test('the kinds for a platform and arch are those of its own arch and of any', () => {
  const index = indexOf('linux', ['x64/deb', 'any/rpm', 'x64/rpm', 'arm64/snap'])
  expect(kindsFor(index, 'linux', 'x86_64').toSorted()).toEqual(['deb', 'rpm'])
  expect(kindsFor(index, 'linux', 'riscv64')).toEqual(['rpm'])
  expect(kindsFor(index, 'windows', 'x86_64')).toEqual([])
})
