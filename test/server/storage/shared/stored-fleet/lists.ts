import { describe, expect, test } from 'vitest'
import type { DeviceQuery } from '../../../../../src/server/fleet/device-query.ts'
import type { ScannedDevice } from '../../../../../src/server/fleet/facts.ts'
import { readScan } from '../../../../../src/server/storage/open-scan.ts'
import { setting } from '../../../../support/builders/labels.ts'
import type { FleetSubject } from './subject.ts'

/** How any fleet must list its devices. */
export function listContract(subject: FleetSubject): void {
  describe('lists of devices', () => {
    const fill = async () => {
      subject.check('ab', '1.9.0', { later: 1_000, labels: setting({ ring: 'beta' }) })
      subject.check('aa', '1.10.0', { later: 1_000, platform: 'darwin' })
      subject.check('b', '1.10.0', { later: 1_000, channel: subject.keys.beta })
      subject.check(null, '1.10.0')
      const { otherApp, otherStable } = subject.keys
      subject.check('aa', '1.9.0', { appKey: otherApp, channel: otherStable })
      await subject.fleet.settled()
    }
    const listed = async (more: Partial<DeviceQuery>) => {
      const { rows } = await subject.fleet.devices(subject.query(more))
      return rows.map(({ deviceId }) => deviceId)
    }

    test('are filtered by facts, last seen, ID and labels', async () => {
      await fill()
      const { beta, clock } = subject.keys
      expect(await listed({})).toEqual(['aa', 'ab', 'b'])
      expect(await listed({ channels: [beta] })).toEqual(['b'])
      expect(await listed({ version: '1.10.0' })).toEqual(['aa', 'b'])
      expect(await listed({ platform: 'darwin' })).toEqual(['aa'])
      expect(await listed({ seenSince: clock.now })).toEqual(['b'])
      expect(await listed({ search: { prefix: 'a', label: undefined } })).toEqual(['aa', 'ab'])
      expect(await listed({ search: { prefix: 'AA', label: undefined } })).toEqual(['aa'])
      const label = { key: 'ring', value: undefined }
      expect(await listed({ search: { prefix: 'ring=', label } })).toEqual(['ab'])
      const other = { key: 'ring', value: 'stable' }
      expect(await listed({ search: { prefix: 'ring=stable', label: other } })).toEqual([])
    })

    test('are found by the beginning of an id in several apps, a few at most', async () => {
      await fill()
      const { app, otherApp } = subject.keys
      const found = async (prefix: string, limit: number) => {
        const devices = await subject.fleet.devicesBeginning([app, otherApp], prefix, limit)
        return devices.map(
          ({ appKey, deviceId }) => `${appKey === app ? 'app' : 'other'} ${deviceId}`,
        )
      }
      expect(await found('A', 10)).toEqual(['app aa', 'app ab', 'other aa'])
      expect(await found('a', 2)).toEqual(['app aa', 'app ab'])
      expect(await found('_', 10)).toEqual([])
    })

    test('are sorted and read page by page, forward and back', async () => {
      await fill()
      expect(await listed({ sort: 'version' })).toEqual(['ab', 'aa', 'b'])
      expect(await listed({ sort: 'lastSeen', descending: true })).toEqual(['b', 'aa', 'ab'])
      for (const sort of ['deviceId', 'lastSeen', 'firstSeen', 'version'] as const) {
        const all = await listed({ sort })
        const first = await subject.fleet.devices(subject.query({ sort, limit: 2 }))
        const query = subject.query({ sort, limit: 2, cursor: first.next })
        const second = await subject.fleet.devices(query)
        const found = [...first.rows, ...second.rows].map(({ deviceId }) => deviceId)
        expect([found, second.total, second.known], sort).toEqual([all, 3, 3])
        expect(second.next).toBeUndefined()
        const back = { sort, limit: 2, cursor: second.previous, backward: true } as const
        expect(await listed(back), sort).toEqual(all.slice(0, 2))
      }
    })

    test('are scanned on a thread of their own, one channel at a time', async () => {
      await fill()
      const scan = await subject.fleet.scan({ channelKey: subject.keys.stable })
      const found: ScannedDevice[] = []
      for await (const devices of readScan(structuredClone(scan.ticket))) found.push(...devices)
      expect(scan.devices).toBe(2)
      const seen = found.map(({ deviceId, profile, labels }) => [deviceId, profile.version, labels])
      expect(seen.sort()).toEqual([
        ['aa', '1.10.0', {}],
        ['ab', '1.9.0', { ring: 'beta' }],
      ])
    })
  })
}
