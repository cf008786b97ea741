import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { setting } from '../../../../../../support/builders/labels.ts'
import { EMPTY_STATE } from '../../../../shared/ingest/memory-store.ts'
import { AT, batch, everything, type FleetSubject, loaded, rows } from './subject.ts'

/** What the fleet's database must do with a batch, all or nothing. */
export function batchContract(fleet: FleetSubject): void {
  describe('an empty store', () => {
    test('begins at nothing', async () => {
      expect(await fleet.store.state()).toEqual(EMPTY_STATE)
      const nothing = {
        ...{ profiles: [], devices: [], freed: [], replayed: [], changes: [], presence: [] },
        ...{ releases: [], health: [] },
      }
      expect(await loaded(fleet.store)).toEqual(nothing)
      expect(await fleet.store.device(fleet.keys.app, 'one')).toBeUndefined()
      expect(await fleet.store.labels([1, 2])).toEqual([{}, {}])
      expect(await fleet.store.deleteCheckIns(AT, AT, 10)).toBe(0)
    })

    test('knows the channels, without traffic', async () => {
      const none = { checkIns: 0, anonymous: 0, offers: 0 }
      expect(await fleet.store.traffic(fleet.keys.app, 0)).toEqual([
        { channel: 'stable', ...none },
        { channel: 'beta', ...none },
      ])
      expect(await fleet.store.presence(fleet.keys.app, 0)).toEqual([])
      expect(await fleet.store.adoption(fleet.keys.app, 0, 99_999)).toEqual([])
    })
  })

  describe('a batch', () => {
    test('reads back after a start as it was written', async () => {
      await fleet.commit({
        profiles: fleet.profiles,
        newDevices: [
          fleet.device(1, 'one', { lastCheckIn: 1, lastChange: 1 }),
          fleet.device(2, '~!"\'%_', { appKey: fleet.keys.otherApp }),
        ],
        checkIns: rows([1, 1, AT, 1, 3, 0], [2, 0, AT + 1, 2, 1, 0], [3, 2, AT + 2, 2, 32, 0]),
        changes: rows([1, 1, AT, 1, 0], [3, 2, AT + 2, 2, 0]),
        presence: rows([1, 20_526, 1], [2, 20_526, 1]),
        labels: [[1, setting({ ring: 'beta', site: 'Zürich "🎬"' })]],
        lost: 5,
      })
      const again = await fleet.keys.reopen()
      const state = {
        batch: 1,
        lastCheckIn: 3,
        rowsThrough: 0,
        lost: 5,
        lastDevice: 2,
        lastProfile: 0,
        lastRelease: 0,
      }
      expect(await again.state()).toEqual(state)
      expect(await loaded(again)).toEqual({
        profiles: fleet.profiles,
        devices: [
          [1, fleet.keys.app, 'one', 1, AT, { ring: 'beta', site: 'Zürich "🎬"' }, 1, 1],
          [2, fleet.keys.otherApp, '~!"\'%_', 1, AT, {}, 0, 0],
        ],
        freed: [],
        // Device, profile, time and number; the anonymous check is no device's.
        replayed: [
          [1, 1, AT, 1],
          [2, 2, AT + 2, 3],
        ],
        // Device and number.
        changes: [
          [1, 1],
          [2, 3],
        ],
        presence: [
          [1, 20_526, 1],
          [2, 20_526, 1],
        ],
        ...{ releases: [], health: [] },
      })
    })

    test('that is committed already changes nothing', async () => {
      const parts = {
        ...{
          profiles: fleet.profiles,
          newDevices: [fleet.device(1, 'one')],
          checkIns: rows([1, 1, AT, 1, 3, 0]),
        },
        ...{ adoption: rows([1, 20_526, 1]), presence: rows([1, 20_526, 1]) },
        ...{ changes: rows([1, 1, AT, 1, 0]), hourly: rows([1, 492_633, 1]) },
        ...{
          traffic: rows([fleet.keys.stable, 100, 1, 0, 0]),
          labels: [[1, setting({ ring: 'a' })]] as const,
        },
      }
      await fleet.store.commit(batch(1, parts))
      const before = await everything(fleet)
      await fleet.store.commit(batch(1, parts))
      await fleet.store.commit(batch(0, { ...parts, lost: 9 }))
      expect(await everything(fleet)).toEqual(before)
    })

    test('without check-ins keeps their numbering', async () => {
      await fleet.commit({ profiles: fleet.profiles, checkIns: rows([7, 0, AT, 1, 3, 0]) })
      await fleet.commit({})
      expect(await fleet.store.state()).toMatchObject({ batch: 2, lastCheckIn: 7 })
    })

    test('that cannot be written is not written in part, and may be given again', async () => {
      await fleet.addDevices('one')
      const before = await everything(fleet)
      const good = {
        checkIns: rows([1, 1, AT, 2, 3, 0]),
        adoption: rows([2, 20_526, 1]),
        presence: rows([2, 20_526, 1]),
        labels: [[1, setting({ ring: 'beta' })]] as const,
      }
      const twin = { ...good, newDevices: [fleet.device(2, 'two'), fleet.device(3, 'one')] }
      await expect(fleet.store.commit(batch(2, twin))).rejects.toThrow()
      expect(await everything(fleet)).toEqual(before)
      await fleet.store.commit(batch(2, { ...good, newDevices: [fleet.device(2, 'two')] }))
      expect(await fleet.store.device(fleet.keys.app, 'one')).toMatchObject({
        labels: { ring: 'beta' },
      })
      expect(await fleet.store.device(fleet.keys.app, 'two')).toBeDefined()
    })

    test('comes after those that were given before it', async () => {
      await fleet.addDevices('one')
      const commits = Array.from({ length: 20 }, (_, at) =>
        fleet.commit({ checkIns: rows([at + 1, 1, AT + at, 1, 3, at]) }),
      )
      await Promise.all(commits)
      expect(await fleet.store.state()).toMatchObject({ batch: 21, lastCheckIn: 20 })
      expect((await loaded(fleet.store)).replayed).toHaveLength(20)
    })

    test('any check-ins are replayed from the end of the device rows, oldest first', async () => {
      await fleet.addDevices('one', 'two', 'three')
      const checkIn = fc.record({
        device: fc.integer({ min: 0, max: 3 }),
        profile: fc.integer({ min: 1, max: 4 }),
        at: fc.integer({ min: 0, max: 2 ** 45 }),
      })
      let lastId = 0
      const kept: number[][] = []
      await fc.assert(
        fc.asyncProperty(
          fc.array(checkIn, { maxLength: 30 }),
          fc.nat(),
          async (drawn, position) => {
            const added = drawn.map(({ device, profile, at }) => {
              const row = [++lastId, device, at, profile, 3, 0]
              kept.push(row)
              return row
            })
            const rowsThrough = lastId === 0 ? 0 : position % (lastId + 1)
            await fleet.commit({ checkIns: rows(...added), rowsThrough })
            const tail = kept.filter(([id = 0, device]) => id > rowsThrough && device !== 0)
            const expected = tail.map(([id, device, at, profile]) => [device, profile, at, id])
            expect((await loaded(fleet.store)).replayed).toEqual(expected)
          },
        ),
        { numRuns: 15 },
      )
    })
  })
}
