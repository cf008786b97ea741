import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandsOf, MAX_BANDS, platformsOf } from '../../../../src/server/fleet/charts/breakdown.ts'
import {
  type ChartSpan,
  fillSteps,
  spanOf,
  stepStarts,
} from '../../../../src/server/fleet/charts/charts.ts'
import { compareVersions, parseVersion } from '../../../../src/server/rules/decision/version.ts'
import { type AdoptionCount, versionSteps } from '../../../support/builders/adoption-counts.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'

const RANGES = ['24h', '7d', '30d', '90d'] as const
const SPAN: ChartSpan = { unit: 'day', from: 100, to: 109 }

const counts = fc.array(
  fc.record({
    // Some before the span and some after it.
    step: fc.integer({ min: 97, max: 112 }),
    version: fc
      .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 11 }))
      .map(([major, minor]) => `${major}.${minor}.0`),
    devices: fc.integer({ min: 0, max: 1_000 }),
  }),
  // Often more versions than there are bands.
  { maxLength: 200, size: 'max' },
)

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function counted(all: readonly AdoptionCount[], wanted: (count: AdoptionCount) => boolean): number {
  return sum(all.filter(wanted).map(({ devices }) => devices))
}

describe('the bands of a chart', () => {
  test('add up to the total at every step, and the total to what was counted', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const { total, bands } = bandsOf(SPAN, versionSteps(SPAN, all))
        for (const [index, devices] of total.entries()) {
          expect(devices).toBe(counted(all, ({ step }) => step === SPAN.from + index))
          expect(sum(bands.map((band) => band.devices[index] ?? Number.NaN))).toBe(devices)
        }
      }),
    )
  })

  test('hold every count of their version, newest version first', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const own = bandsOf(SPAN, versionSteps(SPAN, all)).bands.filter(
          ({ version }) => version !== null,
        )
        for (const { version, devices } of own) {
          expect(devices).toEqual(
            devices.map((_, index) =>
              counted(all, (count) => count.version === version && count.step === 100 + index),
            ),
          )
        }
        const order = own.map(({ version }) => parseVersion(version ?? ''))
        expect(order).toEqual(order.toSorted((a, b) => compareVersions(b, a)))
      }),
    )
  })

  test('are few, and none that is left over ever had more devices than one that is shown', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const { bands, otherVersions } = bandsOf(SPAN, versionSteps(SPAN, all))
        const inside = all.filter(({ step }) => step >= SPAN.from && step <= SPAN.to)
        const peaks = new Map<string, number>()
        for (const { version } of inside) {
          const of = inside.filter((count) => count.version === version)
          const peak = Math.max(...fillSteps(SPAN, of, ({ devices }) => devices))
          if (peak > 0) peaks.set(version, peak)
        }
        const own = bands.flatMap(({ version }) => (version === null ? [] : [version]))
        expect(own).toHaveLength(Math.min(MAX_BANDS, peaks.size))
        expect(otherVersions).toBe(peaks.size - own.length)
        expect(bands.some(({ version }) => version === null)).toBe(otherVersions > 0)
        const least = Math.min(...own.map((version) => peaks.get(version) ?? 0))
        for (const [version, peak] of peaks) {
          if (!own.includes(version)) expect(peak).toBeLessThanOrEqual(least)
        }
      }),
    )
  })
})

describe('the steps of a range', () => {
  const now = fc.integer({ min: 0, max: 4e12 })

  test('follow one on the other, and the last one is now', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RANGES), now, (range, at) => {
        const span = spanOf(range, at)
        const width = span.unit === 'hour' ? HOUR : DAY
        const starts = stepStarts(span).map((start) => Date.parse(start))
        expect(starts).toHaveLength({ '24h': 24, '7d': 168, '30d': 30, '90d': 90 }[range])
        expect(
          new Set(starts.slice(1).map((start, index) => start - (starts[index] ?? 0))),
        ).toEqual(new Set([width]))
        const last = starts.at(-1) ?? 0
        expect(last <= at && at < last + width).toBe(true)
      }),
    )
  })

  test('have a zero if nothing was counted', () => {
    const filled = fillSteps(
      SPAN,
      [
        { step: 103, n: 2 },
        { step: 99, n: 9 },
      ],
      ({ n }) => n,
    )
    expect(filled).toEqual([0, 0, 0, 2, 0, 0, 0, 0, 0, 0])
  })
})

test('one platform under several names is one platform', () => {
  const rows = platformsOf([
    { platform: 'macos', arch: 'arm64', devices: 2 },
    { platform: 'linux', arch: 'x86_64', devices: 4 },
    { platform: 'darwin', arch: 'aarch64', devices: 3 },
    { platform: '', arch: '', devices: 1 },
    { platform: 'windows', arch: 'x64', devices: 0 },
  ])
  expect(rows).toEqual([
    { platform: 'darwin', arch: 'aarch64', devices: 5 },
    { platform: 'linux', arch: 'x86_64', devices: 4 },
    { platform: '', arch: '', devices: 1 },
  ])
})
