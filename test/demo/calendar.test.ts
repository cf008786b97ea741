import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workingTime } from '../../src/demo/calendar.ts'
import { Agenda } from '../../src/demo/course.ts'

const DAY = 86_400_000
const position = fc.double({ min: 0, max: 100, noNaN: true })

test('working time lies on working days within the period, and never goes back', () => {
  const end = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2030, 0) })
  const length = fc.integer({ min: 7, max: 365 })
  fc.assert(
    fc.property(end, length, position, position, (end, length, one, other) => {
      const start = end - length * DAY
      const timeOf = workingTime({ start, end })
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)]
      expect(timeOf(0)).toBe(start)
      expect(timeOf(earlier)).toBeLessThanOrEqual(timeOf(later))
      expect(timeOf(later)).toBeLessThanOrEqual(end)
      if (earlier > 0) expect([1, 2, 3, 4, 5]).toContain(new Date(timeOf(earlier)).getUTCDay())
    }),
  )
})

test('a period without a working day is refused', () => {
  const saturday = Date.UTC(2026, 9, 10)
  expect(() => workingTime({ start: saturday, end: saturday + DAY })).toThrow(RangeError)
})

test('the earliest comes first, equal times by number', () => {
  const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 })
  fc.assert(
    fc.property(times, (due) => {
      const agenda = new Agenda()
      for (const [number, at] of due.entries()) agenda.put(number, at)
      const taken = due.map(() => [agenda.next, agenda.take()])
      const sorted = due
        .map((at, number) => [at, number])
        .sort(([a = 0, i = 0], [b = 0, j = 0]) => a - b || i - j)
      expect(taken).toEqual(sorted)
      expect([agenda.next, agenda.take()]).toEqual([Number.POSITIVE_INFINITY, undefined])
    }),
  )
})
