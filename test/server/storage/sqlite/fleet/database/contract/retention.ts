import { describe, expect, test } from 'vitest'
import { AT, DAY, everything, type FleetSubject, loaded, rows } from './subject.ts'

/** What the fleet's database must delete when it is old, and what not. */
export function retentionContract(fleet: FleetSubject): void {
  describe('deleting check-ins', () => {
    /** One check-in a day, the first on day 0, numbers from 1. */
    const addDays = (count: number, rowsThrough: number) =>
      fleet.commit({
        profiles: fleet.profiles,
        checkIns: rows(...Array.from({ length: count }, (_, at) => [at + 1, 1, at * DAY, 1, 3, 0])),
        rowsThrough,
      })
    /** Seen through the replay, from the beginning of the log. */
    const left = async () => {
      await fleet.commit({ rowsThrough: 0 })
      return (await loaded(fleet.store)).replayed.map(([, , at = 0]) => at / DAY)
    }

    test('takes the oldest, at most the given number', async () => {
      await addDays(6, 6)
      expect(await fleet.store.deleteCheckIns(4 * DAY, 6 * DAY, 3)).toBe(3)
      expect(await fleet.store.deleteCheckIns(4 * DAY, 6 * DAY, 3)).toBe(1)
      expect(await fleet.store.deleteCheckIns(4 * DAY, 6 * DAY, 3)).toBe(0)
      expect(await left()).toEqual([4, 5])
    })

    test('keeps check-ins that the device rows do not contain yet', async () => {
      await addDays(6, 2)
      expect(await fleet.store.deleteCheckIns(4 * DAY, 6 * DAY, 10)).toBe(2)
      expect(await left()).toEqual([2, 3, 4, 5])
    })

    test('skips check-ins from the future, which a wrong clock made', async () => {
      const future = Array.from({ length: 5 }, (_, at) => [at + 1, 1, 1_000 * DAY, 1, 3, 0])
      const old = Array.from({ length: 5 }, (_, at) => [at + 6, 1, at * DAY, 1, 3, 0])
      await fleet.commit({
        profiles: fleet.profiles,
        checkIns: rows(...future, ...old),
        rowsThrough: 10,
      })
      expect(await fleet.store.deleteCheckIns(4 * DAY, 6 * DAY, 2)).toBe(2)
      expect(await fleet.store.deleteCheckIns(4 * DAY, 6 * DAY, 2)).toBe(2)
      expect(await fleet.store.deleteCheckIns(4 * DAY, 6 * DAY, 2)).toBe(0)
      expect(await left()).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 4])
    })

    /** Sweeps to the end, two at a time; answers how many calls that took. */
    const sweep = async (before: number, now: number) => {
      let at = { below: Number.MAX_SAFE_INTEGER, later: now }
      let calls = 0
      for (; at.below > 0; calls++) {
        at = await fleet.store.sweepCheckIns(at, before, now, 2)
      }
      return calls
    }

    test('a sweep finds old ones behind those of a clock that ran ahead', async () => {
      // Ten days ahead, then right: by now the former look as if they were of these days.
      const days = [0, 1, 12, 13, 4, 5, 6, 13, 14]
      const checkIns = rows(...days.map((day, at) => [at + 1, 1, day * DAY, 1, 3, 0]))
      await fleet.commit({ profiles: fleet.profiles, checkIns, rowsThrough: days.length })
      expect(await fleet.store.deleteCheckIns(10 * DAY, 14 * DAY, 3)).toBe(2)
      expect(await fleet.store.deleteCheckIns(10 * DAY, 14 * DAY, 2)).toBe(0)
      expect(await sweep(10 * DAY, 14 * DAY)).toBe(4)
      expect(await left()).toEqual([12, 13, 13, 14])
    })

    test('a sweep treats one from the future as old as the next one', async () => {
      const days = [900, 3, 900, 901, 12, 900, 13]
      const checkIns = rows(...days.map((day, at) => [at + 1, 1, day * DAY, 1, 3, 0]))
      await fleet.commit({ profiles: fleet.profiles, checkIns, rowsThrough: days.length })
      await sweep(10 * DAY, 14 * DAY)
      expect(await left()).toEqual([900, 901, 12, 900, 13])
    })

    test('a sweep keeps check-ins that the device rows do not contain yet', async () => {
      await addDays(6, 2)
      await sweep(4 * DAY, 6 * DAY)
      expect(await left()).toEqual([2, 3, 4, 5])
    })

    test('leaves numbering, counters and devices as they are', async () => {
      await fleet.addDevices('one')
      await fleet.commit({
        checkIns: rows([1, 1, AT, 1, 3, 0]),
        adoption: rows([1, 100, 1]),
        presence: rows([1, 100, 1]),
        rowsThrough: 1,
      })
      const before = await everything(fleet)
      expect(await fleet.store.deleteCheckIns(AT + 1, AT + 2, 10)).toBe(1)
      expect(await everything(fleet)).toEqual(before)
    })
  })
}
