import { expect, test } from 'vitest'
import { markWords, platformWords, stepWords, text } from '../../../src/renderer/fleet/strings.ts'

test('a day of a chart is a UTC day, and says so', () => {
  expect(stepWords('day', '2026-03-14T00:00:00.000Z')).toMatch(/14.*\(UTC\)$/)
})

test('a rollout change names its channel and percentage', () => {
  const mark = { at: '2026-03-14T09:26:53.589Z', channel: 'stable', version: '2.1.0' }
  const raised = markWords({ ...mark, change: 'raised', rolloutPct: 25 })
  expect(text.changeOn('stable', raised)).toBe('stable: rollout raised to 25%')
})

test('a platform that was not reported is unknown', () => {
  expect(platformWords({ platform: '', arch: '' })).toBe('Unknown')
  expect(platformWords({ platform: 'linux', arch: 'x86_64' })).toBe('linux x86_64')
})
