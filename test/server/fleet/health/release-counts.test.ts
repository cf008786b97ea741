import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adoptionTime, timeCell } from '../../../../src/server/fleet/health/adoption-times.ts'
import { deviceCell, PASSED } from '../../../../src/server/fleet/health/cells.ts'
import {
  ADOPTED,
  REPORTED,
  REVERTED,
  STUCK,
  WAITING,
} from '../../../../src/server/fleet/health/episode.ts'
import {
  healthOf,
  SILENCE_HOURS,
  silence,
} from '../../../../src/server/fleet/health/release-counts.ts'

const HOUR = 3_600_000
const NOW = 492_000

describe('the health of a release', () => {
  test('counts each device once', () => {
    const due = deviceCell(WAITING, 3_600, (NOW - 48) * HOUR)
    const cells = [
      ...[[ADOPTED, 3] as const, [STUCK, 2] as const, [REVERTED, 1] as const],
      ...[[REPORTED, 4] as const, [PASSED, 10] as const, [timeCell(60), 13] as const],
      ...[[due, 5] as const, [due + 1, 6] as const],
    ]
    expect(due).toBe(NOW)
    expect(healthOf(cells, (hour) => hour <= NOW).health).toEqual({
      ...{ offered: 31, waiting: 6, adopted: 13, stuck: 2, reverted: 1, silent: 5, reported: 4 },
    })
  })

  test('has no time to adopt before something was adopted', () => {
    expect(healthOf([[STUCK, 2]], () => false).adoption).toBeNull()
  })

  test('has the median and the 90th percentile of the time to adopt within a tenth', () => {
    const times = fc.array(fc.integer({ min: 60, max: 60 * 24 * 3_600 }), {
      ...{ minLength: 1, maxLength: 200 },
    })
    fc.assert(
      fc.property(times, (drawn) => {
        const sorted = drawn.toSorted((a, b) => a - b)
        const counts = new Map<number, number>()
        for (const time of sorted) counts.set(timeCell(time), (counts.get(timeCell(time)) ?? 0) + 1)
        const found = adoptionTime([...counts].toSorted(([a], [b]) => a - b))
        const exact = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 1_000
        expect(Math.abs((found?.median ?? 0) / exact(0.5) - 1)).toBeLessThan(0.1)
        expect(Math.abs((found?.p90 ?? 0) / exact(0.9) - 1)).toBeLessThan(0.1)
      }),
    )
  })
})

describe('a waiting device', () => {
  const busy = (except: (hour: number) => boolean = () => false) =>
    new Set(
      Array.from({ length: SILENCE_HOURS }, (_, at) => NOW - SILENCE_HOURS + at).filter(
        (hour) => !except(hour),
      ),
    )

  test('is silent from its hour on', () => {
    const isSilent = silence(NOW, busy())
    expect([NOW - 1_000, NOW - 1, NOW, NOW + 1].map(isSilent)).toEqual([true, true, true, false])
  })

  test('is not silent because the server was down', () => {
    // Down for three days until an hour ago.
    const isSilent = silence(
      NOW,
      busy((hour) => hour >= NOW - 73 && hour < NOW - 1),
    )
    // Due while it was down, and right after.
    expect([NOW - 60, NOW - 1, NOW].map(isSilent)).toEqual([false, false, false])
    // Due long before.
    expect(isSilent(NOW - 100)).toBe(true)
  })

  test('is silent later by the time that the server was down', () => {
    const down = (hour: number) => hour >= NOW - 20 && hour < NOW - 10
    const at = (hour: number) => {
      const seen = new Set([...busy(down)].filter((each) => each < hour))
      for (let each = NOW; each < hour; each++) seen.add(each)
      return silence(hour, seen)(NOW - 5)
    }
    expect([NOW, NOW + 4, NOW + 5, NOW + 6].map(at)).toEqual([false, false, true, true])
  })
})
