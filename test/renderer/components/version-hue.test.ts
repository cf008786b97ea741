import fc from 'fast-check'
import { expect, test } from 'vitest'
import { versionHue } from '../../../src/renderer/components/version-hue.ts'

test('a version has an angle on the colour wheel, and neighbours are apart', () => {
  fc.assert(
    fc.property(fc.string(), (version) => {
      expect(versionHue(version)).toBeGreaterThanOrEqual(0)
      expect(versionHue(version)).toBeLessThan(360)
    }),
  )
  const hues = ['2.0.3', '2.1.0', '2.2.0', '2.3.0'].map(versionHue)
  expect(new Set(hues).size).toBe(hues.length)
})
