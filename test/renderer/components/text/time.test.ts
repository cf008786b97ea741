import { afterEach, expect, test } from 'vitest'
import {
  formatElsewhere,
  formatTime,
  formatUtcDay,
  isMidnight,
  isoDay,
  setTimeZone,
  startOfDay,
} from '../../../../src/renderer/components/text/time.ts'

/** Half past eleven in the evening in UTC: another day in half of the world. */
const AT = '2026-03-14T23:30:00.000Z'
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const utc = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

afterEach(() => setTimeZone('local'))

test('times are local until UTC is chosen, and the other zone is named', () => {
  expect(formatTime(AT, 'exact')).toBe(local.format(new Date(AT)))
  expect(formatElsewhere(AT)).toBe('2026-03-14 23:30:00 UTC')
  setTimeZone('utc')
  expect(formatTime(AT, 'exact')).toBe(utc.format(new Date(AT)))
  expect(formatElsewhere(AT)).toBe(`${local.format(new Date(AT))} (local time)`)
})

test('days begin where the zone has them', () => {
  expect(startOfDay('2026-03-14', 1)).toEqual(new Date(2026, 2, 15))
  expect(isMidnight(new Date(2026, 2, 14))).toBe(true)
  setTimeZone('utc')
  expect(startOfDay('2026-03-14', 1).toISOString()).toBe('2026-03-15T00:00:00.000Z')
  expect([isMidnight('2026-03-14T00:00:00.000Z'), isMidnight(AT)]).toEqual([true, false])
  expect(isoDay(AT)).toBe('2026-03-14')
})

test('a day of the charts is a UTC day in both zones', () => {
  const day = formatUtcDay(AT)
  setTimeZone('utc')
  expect(formatUtcDay(AT)).toBe(day)
})

test('an hour is written alike wherever it stands', () => {
  setTimeZone('utc')
  const afternoon = '2026-03-14T14:03:00.000Z'
  const hour = formatTime(afternoon, 'hour')
  for (const style of ['short', 'shortWithYear', 'dayAndHour'] as const) {
    const [before = '', after] = formatTime(afternoon, style).split(hour)
    expect([after, /\d$/.test(before)]).toEqual(['', false])
  }
})
