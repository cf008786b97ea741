import { expect, test } from 'vitest'
import { whyInWords } from '../../../src/renderer/devices/explain/strings.ts'
import {
  agoInWords,
  keptInWords,
  labelsInWords,
  systemInWords,
} from '../../../src/renderer/devices/strings.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('how long ago something was is said in the largest unit that fits', () => {
  const now = Date.parse('2026-03-14T09:26:53.589Z')
  const ago = (passed: number) => agoInWords(now - passed, now)
  expect(ago(-5_000)).toBe('just now')
  expect(ago(MINUTE - 1)).toBe('just now')
  expect(ago(MINUTE)).toBe('1 minute ago')
  expect(ago(60 * MINUTE - 1)).toBe('59 minutes ago')
  expect(ago(60 * MINUTE)).toBe('1 hour ago')
  expect(ago(DAY)).toBe('1 day ago')
  expect(ago(30 * DAY)).toBe('30 days ago')
  expect(ago(31 * DAY)).toBe('Feb 11, 2026')
})

test('what a device says of itself is put into words', () => {
  expect(labelsInWords({ ring: 'early', site: 'Graz' })).toBe('ring=early, site=Graz')
  expect(labelsInWords({})).toBe('')
  expect(systemInWords({ platform: 'darwin', arch: 'aarch64' })).toBe('darwin aarch64')
  expect(systemInWords({ platform: '', arch: '' })).toBe('Unknown')
})

test('why and how long are sentences', () => {
  const candidate = {
    version: '1.0.0',
    outcome: 'offered',
    rollout: { percent: 5, bucket: 0.01, admission: null },
  } as const
  expect(whyInWords(candidate)).toBe('In the 5% rollout (this device is at 1.00%).')
  expect([0, 1, 90].map(keptInWords)).toEqual([
    'Check-ins are kept forever.',
    'Check-ins are kept for 1 day.',
    'Check-ins are kept for 90 days.',
  ])
})
