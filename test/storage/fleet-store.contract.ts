import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FleetStore, Profile, TelemetryBatch } from '../../src/server/fleet/store.ts'
import type { LabelMap } from '../../src/shared/names.ts'

/** A fleet store beside two apps, and the keys of these. */
export interface FleetUnderTest {
  readonly store: FleetStore
  /** Closes the store and opens what it stored anew. */
  readonly reopen: () => Promise<FleetStore>
  readonly app: number
  readonly otherApp: number
  /** Channels of `app`. */
  readonly stable: number
  readonly beta: number
  readonly close: () => void | Promise<void>
}

const DAY = 86_400_000
const AT = Date.UTC(2026, 2, 14, 9, 26, 53)

/** What any fleet store must do. */
export function fleetStoreContract(name: string, make: () => Promise<FleetUnderTest>): void {
  describe(name, () => {
    let fleet: FleetUnderTest
    let store: FleetStore
    let profiles: readonly Profile[]
    let number: number

    beforeEach(async () => {
      fleet = await make()
      store = fleet.store
      number = 0
      profiles = [
        profile(1, fleet.stable, '1.0.0'),
        profile(2, fleet.stable, '1.1.0'),
        profile(3, fleet.beta, '2.0.0-rc.1+build.7', '', ''),
        profile(4, fleet.stable, '1.1.0', 'darwin', 'aarch64'),
      ]
    })
    afterEach(() => fleet.close())

    const commit = (parts: Partial<TelemetryBatch>) => store.commit(batch(++number, parts))
    /** Devices 1, 2, … of those names on profile 1. */
    const addDevices = (...names: string[]) =>
      commit({ profiles, newDevices: names.map((name, at) => device(at + 1, name)) })
    const device = (id: number, deviceId: string, more = {}) => ({
      ...{ id, deviceId, appKey: fleet.app, profile: 1, firstSeen: AT, lastSeen: AT },
      ...more,
    })

    describe('an empty store', () => {
      test('begins at nothing', async () => {
        expect(await store.state()).toEqual({
          batch: 0,
          lastCheckIn: 0,
          rowsThrough: 0,
          lost: 0,
          lastDevice: 0,
          lastProfile: 0,
        })
        const nothing = { profiles: [], devices: [], replayed: [], presence: [] }
        expect(await loaded(store)).toEqual(nothing)
        expect(await store.device(fleet.app, 'one')).toBeUndefined()
        expect(await store.labels([1, 2])).toEqual([{}, {}])
        expect(await store.deleteCheckIns(AT, AT, 10)).toBe(0)
      })

      test('knows the channels, without traffic', async () => {
        const none = { checkIns: 0, anonymous: 0, offers: 0 }
        expect(await store.traffic(fleet.app, 0)).toEqual([
          { channel: 'stable', ...none },
          { channel: 'beta', ...none },
        ])
        expect(await store.versions(fleet.app, 0)).toEqual([])
        expect(await store.adoption(fleet.app, 0, 99_999)).toEqual([])
      })
    })

    describe('a batch', () => {
      test('reads back after a start as it was written', async () => {
        await commit({
          profiles,
          newDevices: [device(1, 'one'), device(2, '~!"\'%_', { appKey: fleet.otherApp })],
          checkIns: rows([1, 1, AT, 1, 3], [2, 0, AT + 1, 2, 1], [3, 2, AT + 2, 2, 32]),
          presence: rows([1, 20_526, 1], [2, 20_526, 1]),
          labels: [[1, { ring: 'beta', site: 'Zürich "🎬"' }]],
          lost: 5,
        })
        const again = await fleet.reopen()
        const state = {
          batch: 1,
          lastCheckIn: 3,
          rowsThrough: 0,
          lost: 5,
          lastDevice: 0,
          lastProfile: 0,
        }
        expect(await again.state()).toEqual(state)
        expect(await loaded(again)).toEqual({
          profiles,
          devices: [
            [1, fleet.app, 'one', 1, AT, { ring: 'beta', site: 'Zürich "🎬"' }],
            [2, fleet.otherApp, '~!"\'%_', 1, AT, {}],
          ],
          // Device, profile and time; the anonymous check is no device's.
          replayed: [
            [1, 1, AT],
            [2, 2, AT + 2],
          ],
          presence: [
            [1, 20_526, 1],
            [2, 20_526, 1],
          ],
        })
      })

      test('that is committed already changes nothing', async () => {
        const parts = {
          ...{ profiles, newDevices: [device(1, 'one')], checkIns: rows([1, 1, AT, 1, 3]) },
          ...{ adoption: rows([1, 20_526, 1]), presence: rows([1, 20_526, 1]) },
          ...{ traffic: rows([fleet.stable, 100, 1, 0, 0]), labels: [[1, { ring: 'a' }]] as const },
        }
        await store.commit(batch(1, parts))
        const before = await everything(store, fleet)
        await store.commit(batch(1, parts))
        await store.commit(batch(0, { ...parts, lost: 9 }))
        expect(await everything(store, fleet)).toEqual(before)
      })

      test('without check-ins leaves their numbering where it was', async () => {
        await commit({ profiles, checkIns: rows([7, 0, AT, 1, 3]) })
        await commit({})
        expect(await store.state()).toMatchObject({ batch: 2, lastCheckIn: 7 })
      })

      test('that cannot be written is not written in part, and may be given again', async () => {
        await addDevices('one')
        const before = await everything(store, fleet)
        const good = {
          checkIns: rows([1, 1, AT, 2, 3]),
          adoption: rows([2, 20_526, 1]),
          presence: rows([2, 20_526, 1]),
          labels: [[1, { ring: 'beta' }]] as const,
        }
        const twin = { ...good, newDevices: [device(2, 'two'), device(3, 'one')] }
        await expect(store.commit(batch(2, twin))).rejects.toThrow()
        expect(await everything(store, fleet)).toEqual(before)
        await store.commit(batch(2, { ...good, newDevices: [device(2, 'two')] }))
        expect(await store.device(fleet.app, 'one')).toMatchObject({ labels: { ring: 'beta' } })
        expect(await store.device(fleet.app, 'two')).toBeDefined()
      })

      test('comes after those that were given before it', async () => {
        await addDevices('one')
        const commits = Array.from({ length: 20 }, (_, at) =>
          commit({ checkIns: rows([at + 1, 1, AT + at, 1, 3]) }),
        )
        await Promise.all(commits)
        expect(await store.state()).toMatchObject({ batch: 21, lastCheckIn: 20 })
        expect((await loaded(store)).replayed).toHaveLength(20)
      })

      test('any check-ins are replayed from where the device rows end, oldest first', async () => {
        await addDevices('one', 'two', 'three')
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
                const row = [++lastId, device, at, profile, 3]
                kept.push(row)
                return row
              })
              const rowsThrough = lastId === 0 ? 0 : position % (lastId + 1)
              await commit({ checkIns: rows(...added), rowsThrough })
              const tail = kept.filter(([id = 0, device]) => id > rowsThrough && device !== 0)
              const expected = tail.map(([, device, at, profile]) => [device, profile, at])
              expect((await loaded(store)).replayed).toEqual(expected)
            },
          ),
          { numRuns: 15 },
        )
      })
    })

    describe('a device', () => {
      test('is its row, with what the log knows on top of it', async () => {
        await addDevices('one', 'two')
        expect(await store.device(fleet.app, 'one')).toEqual({
          ...{ id: 1, appKey: fleet.app, deviceId: 'one', profile: profiles[0], labels: {} },
          ...{ firstSeen: AT, lastSeen: AT },
        })
        await commit({ checkIns: rows([1, 1, AT + 10, 2, 3], [2, 1, AT + 20, 3, 3]) })
        const newer = { profile: profiles[2], firstSeen: AT, lastSeen: AT + 20 }
        expect(await store.device(fleet.app, 'one')).toMatchObject(newer)
        expect(await store.device(fleet.app, 'two')).toMatchObject({ lastSeen: AT })

        await commit({ deviceRows: rows([3, AT + 20, 1]), rowsThrough: 2 })
        expect(await store.device(fleet.app, 'one')).toMatchObject(newer)
        const [row] = (await loaded(store)).devices
        expect(row).toEqual([1, fleet.app, 'one', 3, AT + 20, {}])
      })

      test('is found by its app and its exact id', async () => {
        await commit({
          profiles,
          newDevices: [
            device(1, 'one'),
            device(2, 'one', { appKey: fleet.otherApp }),
            device(3, 'ONE'),
          ],
        })
        expect(await store.device(fleet.app, 'one')).toMatchObject({ id: 1 })
        expect(await store.device(fleet.otherApp, 'one')).toMatchObject({ id: 2 })
        expect(await store.device(fleet.app, 'ONE')).toMatchObject({ id: 3 })
        expect(await store.device(fleet.app, 'on')).toBeUndefined()
        expect(await store.device(fleet.otherApp, 'ONE')).toBeUndefined()
      })

      test('has the labels of the last batch that set them', async () => {
        await addDevices('one', 'two', 'three')
        await commit({
          labels: [
            [1, { ring: 'beta', site: 'Zürich "🎬"' }],
            [2, { ring: 'stable' }],
          ],
        })
        await commit({ labels: [[1, { constructor: 'x' }]] })
        await commit({ labels: [[2, {}]] })
        const one: LabelMap = { constructor: 'x' }
        expect(await store.labels([3, 1, 2, 99, 1])).toEqual([{}, one, {}, {}, one])
      })
    })

    describe('counters', () => {
      test('add up over batches', async () => {
        await commit({ profiles, adoption: rows([1, 100, 3]), presence: rows([1, 100, 3]) })
        await commit({ adoption: rows([1, 100, -1], [2, 100, 1]), presence: rows([1, 100, -1]) })
        expect(await store.adoption(fleet.app, 100, 100)).toEqual([
          { day: '1970-04-11', channel: 'stable', version: '1.0.0', devices: 2 },
          { day: '1970-04-11', channel: 'stable', version: '1.1.0', devices: 1 },
        ])
        const all = { devices: 2, seenToday: 2, seenLast7Days: 2, seenLast30Days: 2 }
        expect(await store.versions(fleet.app, 100)).toEqual([
          { channel: 'stable', version: '1.0.0', ...all },
        ])
      })

      test('adoption answers the days asked for, oldest first, platforms together', async () => {
        const cells = rows([2, 102, 5], [4, 102, 2], [1, 99, 9], [3, 100, 1], [1, 103, 7])
        await commit({ profiles, adoption: cells })
        expect(await store.adoption(fleet.app, 100, 102)).toEqual([
          { day: '1970-04-11', channel: 'beta', version: '2.0.0-rc.1+build.7', devices: 1 },
          { day: '1970-04-13', channel: 'stable', version: '1.1.0', devices: 7 },
        ])
        expect(await store.adoption(fleet.otherApp, 0, 1_000)).toEqual([])
      })

      test('what has come down to nothing is not shown', async () => {
        await commit({ profiles, adoption: rows([1, 100, 1]), presence: rows([1, 100, 1]) })
        await commit({ adoption: rows([1, 100, -1]), presence: rows([1, 100, -1]) })
        expect(await store.adoption(fleet.app, 0, 1_000)).toEqual([])
        expect(await store.versions(fleet.app, 100)).toEqual([])
      })

      test('versions tell today, 7 and 30 days apart, today included', async () => {
        const days = [1_000, 999, 994, 993, 971, 970]
        await commit({ profiles, presence: rows(...days.map((day, at) => [1, day, 10 ** at])) })
        expect(await store.versions(fleet.app, 1_000)).toEqual([
          {
            ...{ channel: 'stable', version: '1.0.0', devices: 111_111 },
            ...{ seenToday: 1, seenLast7Days: 111, seenLast30Days: 11_111 },
          },
        ])
      })

      test('traffic sums the hour asked for and the 24 before it', async () => {
        const { stable, beta } = fleet
        await commit({
          traffic: rows([stable, 100, 4, 3, 2], [stable, 76, 10, 1, 1], [stable, 75, 99, 99, 99]),
        })
        await commit({ traffic: rows([stable, 100, 1, 1, 1], [beta, 90, 7, 0, 7]) })
        expect(await store.traffic(fleet.app, 100)).toEqual([
          { channel: 'stable', checkIns: 15, anonymous: 5, offers: 4 },
          { channel: 'beta', checkIns: 7, anonymous: 0, offers: 7 },
        ])
      })
    })

    describe('deleting check-ins', () => {
      /** One check-in a day, the first on day 0, numbers from 1. */
      const addDays = (count: number, rowsThrough: number) =>
        commit({
          profiles,
          checkIns: rows(...Array.from({ length: count }, (_, at) => [at + 1, 1, at * DAY, 1, 3])),
          rowsThrough,
        })
      /** Seen through the replay, from the beginning of the log. */
      const left = async () => {
        await commit({ rowsThrough: 0 })
        return (await loaded(store)).replayed.map(([, , at = 0]) => at / DAY)
      }

      test('takes the oldest, at most as many as asked for', async () => {
        await addDays(6, 6)
        expect(await store.deleteCheckIns(4 * DAY, 6 * DAY, 3)).toBe(3)
        expect(await store.deleteCheckIns(4 * DAY, 6 * DAY, 3)).toBe(1)
        expect(await store.deleteCheckIns(4 * DAY, 6 * DAY, 3)).toBe(0)
        expect(await left()).toEqual([4, 5])
      })

      test('leaves what the device rows do not contain yet', async () => {
        await addDays(6, 2)
        expect(await store.deleteCheckIns(4 * DAY, 6 * DAY, 10)).toBe(2)
        expect(await left()).toEqual([2, 3, 4, 5])
      })

      test('passes over check-ins from the future, which a wrong clock made', async () => {
        const future = Array.from({ length: 5 }, (_, at) => [at + 1, 1, 1_000 * DAY, 1, 3])
        const old = Array.from({ length: 5 }, (_, at) => [at + 6, 1, at * DAY, 1, 3])
        await commit({ profiles, checkIns: rows(...future, ...old), rowsThrough: 10 })
        expect(await store.deleteCheckIns(4 * DAY, 6 * DAY, 2)).toBe(2)
        expect(await store.deleteCheckIns(4 * DAY, 6 * DAY, 2)).toBe(2)
        expect(await store.deleteCheckIns(4 * DAY, 6 * DAY, 2)).toBe(0)
        expect(await left()).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 4])
      })

      test('leaves numbering, counters and devices as they are', async () => {
        await addDevices('one')
        await commit({
          checkIns: rows([1, 1, AT, 1, 3]),
          adoption: rows([1, 100, 1]),
          presence: rows([1, 100, 1]),
          rowsThrough: 1,
        })
        const before = await everything(store, fleet)
        expect(await store.deleteCheckIns(AT + 1, AT + 2, 10)).toBe(1)
        expect(await everything(store, fleet)).toEqual(before)
      })
    })
  })
}

function profile(
  id: number,
  channelKey: number,
  version: string,
  platform = 'linux',
  arch = 'x86_64',
): Profile {
  return { id, channelKey, version, platform, arch }
}

function rows(...of: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(of.flat())
}

function batch(number: number, parts: Partial<TelemetryBatch>): TelemetryBatch {
  const none = new Float64Array()
  return {
    ...{ number, profiles: [], newDevices: [], labels: [], rowsThrough: 0, lost: 0 },
    ...{ checkIns: none, adoption: none, presence: none, traffic: none, deviceRows: none },
    ...parts,
  }
}

/** What a start takes in. */
async function loaded(store: FleetStore) {
  const profiles: Profile[] = []
  const [devices, replayed, presence]: [unknown[][], number[][], number[][]] = [[], [], []]
  await store.load({
    profile: (profile) => profiles.push({ ...profile }),
    device: (id, app, deviceId, profile, lastSeen, labels) =>
      devices.push([id, app, deviceId, profile, lastSeen, JSON.parse(labels)]),
    replay: (...row) => replayed.push(row),
    presence: (...row) => presence.push(row),
  })
  return { profiles, devices, replayed, presence }
}

async function everything(store: FleetStore, { app }: FleetUnderTest) {
  return {
    state: await store.state(),
    loaded: { ...(await loaded(store)), replayed: [] },
    labels: await store.labels([1, 2, 3]),
    versions: await store.versions(app, 20_526),
    adoption: await store.adoption(app, 0, 99_999),
    traffic: await store.traffic(app, 100),
    one: await store.device(app, 'one'),
  }
}
