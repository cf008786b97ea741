import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Agenda } from '../../src/demo/course.ts'

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
