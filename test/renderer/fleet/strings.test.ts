import { expect, test } from 'vitest'
import { tooltipWords } from '../../../src/renderer/fleet/strings.ts'

test('a tooltip has a heading before anything is pointed at', () => {
  expect(tooltipWords('hour', undefined)).toBe('')
  expect(tooltipWords('day', '2026-03-14T00:00:00.000Z')).toMatch(/14.*\(UTC\)$/)
})
