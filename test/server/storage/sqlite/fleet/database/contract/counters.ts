import { describe, expect, test } from 'vitest'
import { type FleetSubject, rows } from './subject.ts'

/** What the fleet's database must count. */
export function counterContract(fleet: FleetSubject): void {
  describe('counters', () => {
    test('add up over batches', async () => {
      await fleet.commit({
        profiles: fleet.profiles,
        adoption: rows([1, 100, 3]),
        presence: rows([1, 100, 3]),
      })
      await fleet.commit({
        adoption: rows([1, 100, -1], [2, 100, 1]),
        presence: rows([1, 100, -1]),
      })
      expect(await fleet.store.adoption(fleet.keys.app, 100, 100)).toEqual([
        { day: '1970-04-11', channel: 'stable', version: '1.0.0', devices: 2 },
        { day: '1970-04-11', channel: 'stable', version: '1.1.0', devices: 1 },
      ])
      const all = { devices: 2, seenToday: 2, seenLast7Days: 2, seenLast30Days: 2 }
      expect(await fleet.store.presence(fleet.keys.app, 100)).toEqual([
        { channel: 'stable', version: '1.0.0', ...all },
      ])
    })

    test('adoption returns the requested days, oldest first, for all platforms', async () => {
      const cells = rows([2, 102, 5], [4, 102, 2], [1, 99, 9], [3, 100, 1], [1, 103, 7])
      await fleet.commit({ profiles: fleet.profiles, adoption: cells })
      expect(await fleet.store.adoption(fleet.keys.app, 100, 102)).toEqual([
        { day: '1970-04-11', channel: 'beta', version: '2.0.0-rc.1+build.7', devices: 1 },
        { day: '1970-04-13', channel: 'stable', version: '1.1.0', devices: 7 },
      ])
      expect(await fleet.store.adoption(fleet.keys.otherApp, 0, 1_000)).toEqual([])
    })

    test('versions without devices are not shown', async () => {
      await fleet.commit({
        profiles: fleet.profiles,
        adoption: rows([1, 100, 1]),
        presence: rows([1, 100, 1]),
      })
      await fleet.commit({ adoption: rows([1, 100, -1]), presence: rows([1, 100, -1]) })
      expect(await fleet.store.adoption(fleet.keys.app, 0, 1_000)).toEqual([])
      expect(await fleet.store.presence(fleet.keys.app, 100)).toEqual([])
    })

    test('versions distinguish today, 7 days and 30 days, including today', async () => {
      const days = [1_000, 999, 994, 993, 971, 970]
      await fleet.commit({
        profiles: fleet.profiles,
        presence: rows(...days.map((day, at) => [1, day, 10 ** at])),
      })
      expect(await fleet.store.presence(fleet.keys.app, 1_000)).toEqual([
        {
          ...{ channel: 'stable', version: '1.0.0', devices: 111_111 },
          ...{ seenToday: 1, seenLast7Days: 111, seenLast30Days: 11_111 },
        },
      ])
    })

    test('traffic sums the requested hour and the 24 hours before it', async () => {
      const { stable, beta } = fleet.keys
      await fleet.commit({
        traffic: rows([stable, 100, 4, 3, 2], [stable, 76, 10, 1, 1], [stable, 75, 99, 99, 99]),
      })
      await fleet.commit({ traffic: rows([stable, 100, 1, 1, 1], [beta, 90, 7, 0, 7]) })
      expect(await fleet.store.traffic(fleet.keys.app, 100)).toEqual([
        { channel: 'stable', checkIns: 15, anonymous: 5, offers: 4 },
        { channel: 'beta', checkIns: 7, anonymous: 0, offers: 7 },
      ])
    })
  })
}
