import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  colorIn,
  colorOfUnpublished,
  NEUTRAL,
  PALETTE,
} from '../../../../src/renderer/components/release/version-palette.ts'
import { VERSION_COLORS } from '../../../../src/shared/console/fleet.ts'
import { contrast, distance, fromOklch, type Rgb, seenBy, VISIONS } from '../../../support/color.ts'

/** The panel that badges and charts are drawn on, `--tidegate-panel`. */
const PANELS = { light: [1, 1, 1], dark: hex('#1d2326') } as const
/** What is good, worth a look, or bad: `--tidegate-good`, `-warn` and `-bad`. */
const STATUS = {
  light: ['#1c6b3c', '#8a5a00', '#b3261e'].map(hex),
  dark: ['#6fcf97', '#e5b454', '#ff9a92'].map(hex),
} as const
/** Distance in Oklab below which two colors are hard to tell apart; 0.02 is just noticeable. */
const LEAST_DISTANCE = 0.085
/** What WCAG asks of graphics. */
const LEAST_CONTRAST = 3

function hex(text: string): Rgb {
  const part = (at: number) => {
    const share = Number.parseInt(text.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

describe.each(['light', 'dark'] as const)('the colors of versions in the %s theme', (theme) => {
  const colors = PALETTE.map((swatch) => fromOklch([...swatch[theme], swatch.hue]))
  const neutral = fromOklch([...NEUTRAL[theme], NEUTRAL.hue])

  test.each(VISIONS)('are told apart with %s vision', (vision) => {
    const seen = [...colors, neutral].map((color) => seenBy(color, vision))
    for (const [index, one] of seen.entries()) {
      for (const [other, two] of seen.slice(0, index).entries()) {
        expect(distance(one, two), `${index} and ${other}`).toBeGreaterThan(LEAST_DISTANCE)
      }
    }
  })

  test('are not those of a status', () => {
    for (const [index, color] of colors.entries()) {
      for (const status of STATUS[theme])
        expect(distance(color, status), `${index}`).toBeGreaterThan(LEAST_DISTANCE)
    }
  })

  test('can be shown by every screen, and stand out from the panel', () => {
    for (const [index, color] of colors.entries()) {
      for (const part of color) {
        expect(part, `${index}`).toBeGreaterThan(-0.001)
        expect(part, `${index}`).toBeLessThan(1.001)
      }
      expect(contrast(color, PANELS[theme]), `${index}`).toBeGreaterThan(LEAST_CONTRAST)
    }
  })
})

test('there is a swatch for each color, and no two share a hue', () => {
  expect(PALETTE).toHaveLength(VERSION_COLORS)
  for (const [index, { hue }] of PALETTE.entries()) {
    for (const other of PALETTE.slice(0, index)) {
      const apart = Math.abs(hue - other.hue)
      expect(Math.min(apart, 360 - apart)).toBeGreaterThanOrEqual(20)
    }
  }
})

test('a version whose build metadata is cut has the color of its latest release', () => {
  const colors = { '2.1.0': 3, '2.1.1+6': 4, '2.1.1+7': 5, '2.1.10+1': 6 }
  expect(['2.1.0', '2.1.1', '2.1.1+6'].map((version) => colorIn(colors, version))).toEqual([
    3, 5, 4,
  ])
  expect(colorIn(colors, '2.1.1+8')).toBe(colorOfUnpublished('2.1.1+8'))
  expect(colorIn({}, 'constructor')).toBe(colorOfUnpublished('constructor'))
})

test('a version that was never published here has a color too', () => {
  fc.assert(
    fc.property(fc.string(), (version) => {
      expect(PALETTE[colorOfUnpublished(version)]).toBeDefined()
    }),
  )
})
