import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isBelowFloor,
  isSystemVersion,
  lowestSystem,
} from '../../../src/shared/devices/system-version.ts'

/** Kernels and the macOS that has them, oldest first: of Apple's open-source releases. */
const MACS = [
  ['16.0.0', '10.12'],
  ['17.7.0', '10.13'],
  ['18.7.0', '10.14'],
  ['19.6.0', '10.15'],
  ['20.1.0', '11.0'],
  ['20.2.0', '11.1'],
  ['20.5.0', '11.4'],
  ['21.2.0', '12.1'],
  ['21.5.0', '12.4'],
  ['22.1.0', '13.0'],
  ['22.4.0', '13.3'],
  ['23.0.0', '14.0'],
  ['23.4.0', '14.4'],
  ['24.1.0', '15.1'],
  ['24.5.0', '15.5'],
  ['25.0.0', 'macOS 26.0'],
  ['25.2.0', 'macos-26.2'],
] as const

/** Oldest first. */
const WINDOWS = ['7', '8', '8.1', '10', '11'] as const

describe('an operating system on macOS', () => {
  test('is the same by the version of its kernel and by its own', () => {
    for (const [at, names] of MACS.entries()) {
      for (const [other, floors] of MACS.entries()) {
        for (const system of names) {
          for (const floor of floors) {
            expect(isBelowFloor('darwin', floor, system), `${system} below ${floor}`).toBe(
              at < other,
            )
          }
        }
      }
    }
  })

  test('is a kernel from 16 on, unless the text says what it is', () => {
    expect(isBelowFloor('darwin', '26.0.0', '25.6.0')).toBe(true)
    expect(isBelowFloor('darwin', 'macos-26.0', '25.6.0')).toBe(false)
    expect(isBelowFloor('darwin', 'macos-27.0', 'macos-26.4')).toBe(true)
    expect(isBelowFloor('darwin', 'darwin-26.0', 'macos-26.4')).toBe(true)
    expect(isBelowFloor('darwin', 'darwin-15.0', '10.10')).toBe(true)
    expect(isBelowFloor('darwin', 'darwin-15.0', '10.11')).toBe(false)
  })

  test('that a kernel does not tell from others is not below any of them', () => {
    // 13.5, 13.6 and 13.7 have one kernel, as have 14.4 and 14.4.1.
    expect(isBelowFloor('darwin', '13.7', '22.6.0')).toBe(false)
    expect(isBelowFloor('darwin', '14.0', '22.6.0')).toBe(true)
    expect(isBelowFloor('darwin', '14.4.1', '23.4.0')).toBe(false)
    expect(isBelowFloor('darwin', '14.4.1', '14.4.0')).toBe(true)
    expect(isBelowFloor('darwin', '15.0', '10.16')).toBe(false)
    // As a floor, it is compared with what such an app sees, too.
    expect(lowestSystem('darwin', '10.16')).toBe('10.16.0')
    expect(isBelowFloor('darwin', '10.16', '10.15.7')).toBe(true)
    expect(isBelowFloor('darwin', '10.16', '11.0')).toBe(false)
    expect(isBelowFloor('darwin', '11.0', '10.15.7')).toBe(true)
  })
})

describe('an operating system on Windows', () => {
  test('has an order by its name', () => {
    for (const [at, system] of WINDOWS.entries()) {
      for (const [other, floor] of WINDOWS.entries()) {
        expect(isBelowFloor('windows', floor, system), `${system} below ${floor}`).toBe(at < other)
      }
    }
  })

  test('is its build, in every form', () => {
    const old = ['10.0.19045', '10.0.19045.4291', '19045', 'Windows 10.0.19045']
    const recent = ['10.0.22631', '10.0.22631.3447', '22631', '11.0.22631', 'windows-10.0.22631']
    for (const first of old) {
      for (const second of recent) {
        expect(isBelowFloor('windows', second, first), first).toBe(true)
        expect(isBelowFloor('windows', first, second), second).toBe(false)
      }
      expect(isBelowFloor('windows', '11', first)).toBe(true)
      expect(isBelowFloor('windows', '10', first)).toBe(false)
    }
    expect(isBelowFloor('windows', '10.0.19041', '6.1.7601')).toBe(true)
    expect(isBelowFloor('windows', '6.1.7601', '10.0.19041')).toBe(false)
  })
})

test('an operating system on Linux is its kernel', () => {
  expect(isBelowFloor('linux', '6.8', '5.15.0-105-generic')).toBe(true)
  expect(isBelowFloor('linux', '5.15.0', '6.8.0-45-generic')).toBe(false)
  expect(isBelowFloor('linux', '5.10', '5.9.16')).toBe(true)
  expect(isBelowFloor('linux', '5.15.167', '5.15.167.4-microsoft-standard-WSL2')).toBe(false)
})

test('what cannot be read is below nothing, and nothing is below it', () => {
  const unread = ['', 'Sonoma', 'v14', '14,4', 'windows', '1'.repeat(10), `14.4-${'x'.repeat(60)}`]
  for (const text of unread) {
    expect.soft(isSystemVersion('macos', text), text).toBe(false)
    expect.soft(isBelowFloor('darwin', text, '10.9'), text).toBe(false)
    expect.soft(isBelowFloor('darwin', '99', text), text).toBe(false)
  }
  // Of another system, and years in the place of versions.
  expect(isSystemVersion('macos', 'Windows 11')).toBe(false)
  expect(isSystemVersion('win32', '2022')).toBe(false)
  expect(isSystemVersion('win32', 'Windows 11')).toBe(true)
  expect(isSystemVersion('macos', 'macOS 14.4')).toBe(true)
})

/** Versions with all three numbers, of systems that have them. */
const exact = fc.oneof(
  fc.tuple(fc.constant('linux'), triple(0, 7)),
  fc.tuple(fc.constant('darwin'), triple(11, 15)),
  fc.tuple(
    fc.constant('windows'),
    fc.integer({ min: 10_240, max: 30_000 }).map((build) => `10.0.${build}`),
  ),
)

function triple(min: number, max: number): fc.Arbitrary<string> {
  const part = fc.nat({ max: 12 })
  return fc.tuple(fc.integer({ min, max }), part, part).map((parts) => parts.join('.'))
}

const numbersOf = (text: string) => text.split('.').map(Number)

test('versions with all their numbers have the order of these numbers', () => {
  fc.assert(
    fc.property(exact, exact, ([platform, floor], [other, system]) => {
      fc.pre(platform === other)
      const [needs, runs] = [numbersOf(floor), numbersOf(system)]
      const differing = needs.findIndex((each, at) => each !== runs[at])
      const isLower = differing >= 0 && (runs[differing] ?? 0) < (needs[differing] ?? 0)
      expect(isBelowFloor(platform, floor, system)).toBe(isLower)
    }),
    { numRuns: 2_000 },
  )
})

const anyMac = fc.oneof(triple(10, 30), fc.tuple(fc.integer({ min: 9, max: 30 })).map(String))
const named = fc
  .tuple(fc.constantFrom('', 'macos-', 'darwin-'), anyMac)
  .map((parts) => parts.join(''))

test('no system is below itself, nor two below each other, however they are written', () => {
  fc.assert(
    fc.property(named, named, (one, other) => {
      expect(isBelowFloor('darwin', one, one)).toBe(false)
      const both = isBelowFloor('darwin', one, other) && isBelowFloor('darwin', other, one)
      expect(both).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('a system that is below one which is below a third is below the third', () => {
  fc.assert(
    fc.property(named, named, named, (low, middle, high) => {
      fc.pre(isBelowFloor('darwin', middle, low) && isBelowFloor('darwin', high, middle))
      expect(isBelowFloor('darwin', high, low)).toBe(true)
    }),
    { numRuns: 500 },
  )
})
