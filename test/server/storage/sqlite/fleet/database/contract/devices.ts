import { describe, expect, test } from 'vitest'
import type { LabelMap } from '../../../../../../../src/shared/names.ts'
import { setting } from '../../../../../../support/builders/labels.ts'
import { AT, type FleetSubject, loaded, rows, states } from './subject.ts'

/** What the fleet's database must know of a device. */
export function deviceContract(fleet: FleetSubject): void {
  describe('a device', () => {
    test('is its row with the later facts of the log', async () => {
      await fleet.addDevices('one', 'two')
      expect(await fleet.store.device(fleet.keys.app, 'one')).toEqual({
        ...{
          appKey: fleet.keys.app,
          deviceId: 'one',
          profile: fleet.running[0],
          labels: {},
        },
        ...{ firstSeen: AT, lastSeen: AT },
      })
      await fleet.commit({ checkIns: rows([1, 1, AT + 10, 2, 3, 0], [2, 1, AT + 20, 3, 3, 0]) })
      const newer = { profile: fleet.running[2], firstSeen: AT, lastSeen: AT + 20 }
      expect(await fleet.store.device(fleet.keys.app, 'one')).toMatchObject(newer)
      expect(await fleet.store.device(fleet.keys.app, 'two')).toMatchObject({ lastSeen: AT })

      await fleet.commit({ deviceRows: states([3, AT + 20, 2, 2, 1]), rowsThrough: 2 })
      expect(await fleet.store.device(fleet.keys.app, 'one')).toMatchObject(newer)
      const [row] = (await loaded(fleet.store)).devices
      expect(row).toEqual([1, fleet.keys.app, 'one', 3, AT + 20, {}, 2, 2])
    })

    test('is deleted with its changes and labels, and its number is returned at the next start', async () => {
      const one = { lastCheckIn: 2, lastChange: 2 }
      await fleet.commit({
        profiles: fleet.profiles,
        newDevices: [fleet.device(1, 'one', one), fleet.device(2, 'two')],
        checkIns: rows([1, 1, AT, 1, 3, 0], [2, 1, AT + 1, 2, 3, 1], [3, 2, AT, 1, 3, 0]),
        changes: rows([1, 1, AT, 1, 0], [2, 1, AT + 1, 2, 1], [3, 2, AT, 1, 0]),
        labels: [[1, setting({ ring: 'beta' })]],
      })
      // Back in the same batch, under another number.
      await fleet.commit({
        gone: rows([1, 2, 2]),
        newDevices: [fleet.device(4, 'one', { firstSeen: AT + 9 })],
      })
      expect(await fleet.store.device(fleet.keys.app, 'one')).toMatchObject({
        ...{ firstSeen: AT + 9, labels: {} },
      })
      const { devices, freed, changes } = await loaded(await fleet.keys.reopen())
      expect(devices.map(([id]) => id)).toEqual([2, 4])
      expect(freed).toEqual([[1, 2]])
      expect(changes).toEqual([[2, 3]])
    })

    test('is read at a start, once, however many there are', async () => {
      const names = Array.from({ length: 2_001 }, (_, at) => `device-${at}`)
      await fleet.addDevices(...names.slice(0, 1_000))
      expect((await loaded(fleet.store)).devices).toHaveLength(1_000)
      const more = names.slice(1_000).map((name, at) => fleet.device(at + 1_001, name))
      await fleet.commit({ newDevices: more })
      const { devices } = await loaded(await fleet.keys.reopen())
      expect(devices.map(([id, , name]) => [id, name])).toEqual(
        names.map((name, at) => [at + 1, name]),
      )
    })

    test('is found by its app and its exact id', async () => {
      await fleet.commit({
        profiles: fleet.profiles,
        newDevices: [
          fleet.device(1, 'one'),
          fleet.device(2, 'one', { appKey: fleet.keys.otherApp, firstSeen: AT + 2 }),
          fleet.device(3, 'ONE', { firstSeen: AT + 3 }),
        ],
      })
      expect(await fleet.store.device(fleet.keys.app, 'one')).toMatchObject({ firstSeen: AT })
      expect(await fleet.store.device(fleet.keys.otherApp, 'one')).toMatchObject({
        firstSeen: AT + 2,
      })
      expect(await fleet.store.device(fleet.keys.app, 'ONE')).toMatchObject({ firstSeen: AT + 3 })
      expect(await fleet.store.device(fleet.keys.app, 'on')).toBeUndefined()
      expect(await fleet.store.device(fleet.keys.otherApp, 'ONE')).toBeUndefined()
    })

    test('has the labels that each batch in turn set and removed', async () => {
      await fleet.addDevices('one', 'two', 'three')
      await fleet.commit({
        labels: [
          [1, setting({ ring: 'beta', site: 'Zürich "🎬"\\' })],
          [2, setting({ ring: 'stable' })],
        ],
      })
      const changed = { set: { constructor: 'x', site: 'Bern' }, remove: ['ring', 'never'] }
      await fleet.commit({ labels: [[1, changed]] })
      await fleet.commit({ labels: [[2, { set: {}, remove: ['ring'] }]] })
      const one: LabelMap = { constructor: 'x', site: 'Bern' }
      expect(await fleet.store.labels([3, 1, 2, 99, 1])).toEqual([{}, one, {}, {}, one])
    })
  })
}
