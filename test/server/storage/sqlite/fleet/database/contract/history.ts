import { describe, expect, test } from 'vitest'
import { AT, type FleetSubject, loaded, rows, states } from './subject.ts'

/** What the fleet's database must know of the way that a device took. */
export function historyContract(fleet: FleetSubject): void {
  describe('profile changes', () => {
    test('are replayed at a start from the end of the device rows, oldest first', async () => {
      await fleet.addDevices('one', 'two')
      await fleet.commit({
        changes: rows([3, 1, AT, 2, 0], [4, 2, AT, 2, 0], [9, 1, AT + 9, 3, 3]),
      })
      const changes = async () => (await loaded(fleet.store)).changes
      expect(await changes()).toEqual([
        [1, 3],
        [2, 4],
        [1, 9],
      ])
      await fleet.commit({ rowsThrough: 4 })
      expect(await changes()).toEqual([[1, 9]])
      await fleet.commit({ deviceRows: states([3, AT + 9, 9, 9, 1]), rowsThrough: 9 })
      expect(await changes()).toEqual([])
      const numbers = (await loaded(fleet.store)).devices.map((row) => row.slice(-2))
      expect(numbers).toEqual([
        [9, 9],
        [0, 0],
      ])
    })

    test('stay when the check-ins that they came with are deleted', async () => {
      await fleet.addDevices('one')
      const parts = { checkIns: rows([1, 1, AT, 1, 3, 0]), changes: rows([1, 1, AT, 1, 0]) }
      await fleet.commit({ ...parts, rowsThrough: 1 })
      expect(await fleet.store.deleteCheckIns(AT + 1, AT + 2, 10)).toBe(1)
      await fleet.commit({ rowsThrough: 0 })
      expect((await loaded(fleet.store)).changes).toEqual([[1, 1]])
    })
  })

  describe('deleting hourly adoption', () => {
    test('goes through the profiles, some at a time, to their end', async () => {
      await fleet.commit({ profiles: fleet.profiles, hourly: rows([1, 5, 1], [4, 6, 1]) })
      const slice = (after: number) => fleet.store.deleteHourlyAdoption(6, after, 3)
      expect(await slice(0)).toBe(3)
      expect(await slice(3)).toBe(0)
      expect(await fleet.store.deleteHourlyAdoption(6, 0, 4)).toBe(4)
      expect(await fleet.store.deleteHourlyAdoption(6, 4, 4)).toBe(0)
    })
  })
}
