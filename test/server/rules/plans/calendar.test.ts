import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localTime, nextOpening } from '../../../../src/server/rules/plans/calendar.ts'
import { type PlanWindow, WEEKDAYS } from '../../../../src/shared/plans/plan.ts'
import { freeze } from '../../../support/builders/plans.ts'
import { DAY } from '../../../support/builders/time.ts'

const MINUTE = 60_000
const BERLIN = 'Europe/Berlin'

const opensAt = (windows: PlanWindow[], timeZone: string, from: string) => {
  const { at } = nextOpening({ windows, timeZone }, [], Date.parse(from))
  return at === null ? null : new Date(at).toISOString().slice(0, 16)
}
const daily = (from: string, to: string): PlanWindow[] => [{ days: [...WEEKDAYS], from, to }]

describe('windows', () => {
  test('open by the clocks of their time zone', () => {
    const windows: PlanWindow[] = [{ days: ['mon', 'tue'], from: '09:00', to: '16:00' }]
    // A Friday.
    expect(opensAt(windows, BERLIN, '2026-11-20T10:00Z')).toBe('2026-11-23T08:00')
    expect(opensAt(windows, 'America/New_York', '2026-11-20T10:00Z')).toBe('2026-11-23T14:00')
    expect(opensAt(windows, BERLIN, '2026-11-23T14:59Z')).toBe('2026-11-23T14:59')
    expect(opensAt(windows, BERLIN, '2026-11-23T15:00Z')).toBe('2026-11-24T08:00')
    expect(opensAt(windows, BERLIN, '2026-11-24T15:00Z')).toBe('2026-11-30T08:00')
  })

  test('that begin in the hour that clocks skip in spring open when it is over', () => {
    expect(opensAt(daily('02:30', '05:00'), BERLIN, '2026-03-28T12:00Z')).toBe('2026-03-29T01:00')
    // Without a minute on that day.
    expect(opensAt(daily('02:15', '02:45'), BERLIN, '2026-03-28T12:00Z')).toBe('2026-03-30T00:15')
    const sundays: PlanWindow[] = [{ days: ['sun'], from: '02:00', to: '03:00' }]
    expect(opensAt(sundays, BERLIN, '2026-03-23T00:00Z')).toBe('2026-04-05T00:00')
  })

  test('open twice in the hour that clocks repeat in autumn', () => {
    const windows = daily('02:15', '02:45')
    expect(opensAt(windows, BERLIN, '2026-10-24T22:00Z')).toBe('2026-10-25T00:15')
    expect(opensAt(windows, BERLIN, '2026-10-25T00:45Z')).toBe('2026-10-25T01:15')
    // Open until 2:15, closed until clocks go back to 2:00.
    expect(opensAt(daily('01:30', '02:15'), BERLIN, '2026-10-25T00:15Z')).toBe('2026-10-25T01:00')
  })

  test('last into the day after the one on which they begin', () => {
    const windows: PlanWindow[] = [{ days: ['fri'], from: '22:00', to: '06:00' }]
    // A Friday; clocks change in the night from Saturday to Sunday.
    expect(opensAt(windows, BERLIN, '2026-11-20T10:00Z')).toBe('2026-11-20T21:00')
    expect(opensAt(windows, BERLIN, '2026-11-21T04:59Z')).toBe('2026-11-21T04:59')
    expect(opensAt(windows, BERLIN, '2026-11-21T05:00Z')).toBe('2026-11-27T21:00')
    const saturdays: PlanWindow[] = [{ days: ['sat'], from: '22:00', to: '06:00' }]
    for (const [last, isOpen] of [
      ['2026-10-25T04:59Z', '2026-10-25T04:59'],
      ['2026-10-25T05:00Z', '2026-10-31T21:00'],
      ['2026-03-29T03:59Z', '2026-03-29T03:59'],
      ['2026-03-29T04:00Z', '2026-04-04T20:00'],
    ] as const) {
      expect(opensAt(saturdays, BERLIN, last)).toBe(isOpen)
    }
  })

  test('last until midnight', () => {
    expect(opensAt(daily('22:00', '24:00'), 'UTC', '2026-11-20T23:59Z')).toBe('2026-11-20T23:59')
    expect(opensAt(daily('22:00', '24:00'), 'UTC', '2026-11-21T00:00Z')).toBe('2026-11-21T22:00')
  })
})

describe('freezes', () => {
  const at = (from: string, ...freezes: Parameters<typeof freeze>[]) => {
    const plan = { windows: daily('09:00', '10:00'), timeZone: BERLIN }
    const opening = nextOpening(
      plan,
      freezes.map((days) => freeze(...days)),
      Date.parse(from),
    )
    return { ...opening, at: opening.at && new Date(opening.at).toISOString().slice(0, 16) }
  }

  test('hold until the end of their last day in their own time zone', () => {
    const winter = ['2026-12-19', '2027-01-03', 'America/New_York'] as const
    const thaw = { at: '2027-01-04T08:00', closedBy: 'freeze' }
    expect(at('2026-12-18T08:30Z', [...winter])).toEqual({ at: '2026-12-18T08:30', closedBy: null })
    expect(at('2026-12-19T08:30Z', [...winter])).toEqual(thaw)
    expect(at('2026-12-24T08:30Z', [...winter], ['2026-12-01', '2026-12-30'])).toEqual(thaw)
    expect(at('2026-12-18T09:30Z', [...winter])).toEqual({ ...thaw, closedBy: 'window' })
  })
})

/** Zones with changes of an hour, of half an hour, at midnight, of a day, and with none. */
const zones = fc.constantFrom(
  ...['UTC', BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'America/Havana'],
  ...['Africa/Casablanca', 'Asia/Kathmandu', 'Pacific/Apia', 'America/Santiago'],
)
const clock = fc
  .integer({ min: 0, max: 96 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${['00', '15', '30', '45'][quarter % 4]}`,
  )
const window = fc
  .record({
    days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
    from: clock,
    to: clock,
  })
  .filter(({ from, to }) => from !== to && from !== '24:00')

test('an opening is the first minute of all that are open', () => {
  const start = Date.parse('2026-01-01T00:00Z')
  fc.assert(
    fc.property(
      fc.array(window, { maxLength: 3 }),
      zones,
      fc.integer({ min: 0, max: 730 * 96 }),
      fc.option(fc.integer({ min: -3, max: 3 })),
      zones,
      (windows, timeZone, quarter, frozen, frozenIn) => {
        const time = start + quarter * 15 * MINUTE
        const day = (offset: number) => new Date(time + offset * DAY).toISOString().slice(0, 10)
        const freezes = frozen === null ? [] : [freeze(day(frozen), day(frozen + 1), frozenIn)]
        const isOpen = (at: number) => {
          const { weekday, minutes } = localTime(at, timeZone)
          const shown = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
          const isFrozen = freezes.some(({ firstDay, lastDay }) => {
            const { date: there } = localTime(at, frozenIn)
            return firstDay <= there && there <= lastDay
          })
          const [name = 'mon', before = 'mon'] = [6, 5].map(
            (back) => WEEKDAYS[(weekday + back) % 7],
          )
          const isIn = windows.some(({ days, from, to }) =>
            from < to
              ? days.includes(name) && from <= shown && shown < to
              : (days.includes(name) && from <= shown) || (days.includes(before) && shown < to),
          )
          return !isFrozen && (windows.length === 0 || isIn)
        }
        const { at, closedBy } = nextOpening({ windows, timeZone }, freezes, time)
        let expected = time
        while (!isOpen(expected)) expected += 15 * MINUTE
        expect(at).toBe(expected)
        expect(closedBy === null).toBe(at === time)
      },
    ),
    { numRuns: 300 },
  )
})
