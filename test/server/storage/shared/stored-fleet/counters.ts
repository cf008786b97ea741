import { describe, expect, test } from 'vitest'
import { dayOf, hourOf } from '../../../../../src/server/fleet/time.ts'
import { DAY, HOUR } from '../../../../support/builders/time.ts'
import { AT, type FleetSubject } from './subject.ts'

/** What any fleet must count. */
export function counterContract(subject: FleetSubject): void {
  describe('counters', () => {
    test('count a device once, under its latest version', async () => {
      subject.check('one', '1.0.0')
      subject.check('two', '1.0.0')
      subject.check('one', '1.1.0', { later: HOUR })
      subject.check('two', '1.1.0', { later: 2 * DAY })
      await subject.fleet.settled()
      const { app, clock } = subject.keys
      const today = dayOf(clock.now)
      expect(await subject.fleet.presence(app, today)).toEqual([
        {
          ...{ channel: 'stable', version: '1.1.0', devices: 2 },
          ...{ seenToday: 1, seenLast7Days: 2, seenLast30Days: 2 },
        },
      ])
      const adoption = await subject.fleet.adoption(app, dayOf(AT), today)
      expect(adoption.map(({ day, version, devices }) => [day, version, devices])).toEqual([
        ['2026-03-14', '1.0.0', 1],
        ['2026-03-14', '1.1.0', 1],
        ['2026-03-16', '1.1.0', 1],
      ])
    })

    test('count every check, those of unknown devices too', async () => {
      subject.check('one', '1.0.0', { reason: 'update' })
      subject.check(null, '1.0.0')
      subject.check('one', '1.0.0', { later: HOUR })
      await subject.fleet.settled()
      const { app, clock } = subject.keys
      const [stable, beta] = await subject.fleet.traffic(app, hourOf(clock.now))
      expect(stable).toEqual({ channel: 'stable', checkIns: 3, anonymous: 1, offers: 1 })
      expect(beta).toEqual({ channel: 'beta', checkIns: 0, anonymous: 0, offers: 0 })
    })

    test('tell devices apart by when they were seen last: today, in 7 days, in 30', async () => {
      for (const id of ['30 days ago', '29 days ago']) subject.check(id, '1.0.0', { later: DAY })
      subject.check('7 days ago', '1.0.0', { later: 22 * DAY })
      subject.check('6 days ago', '1.0.0', { later: DAY })
      subject.check('today', '1.0.0', { later: 6 * DAY })
      await subject.fleet.settled()
      const { app, clock } = subject.keys
      const [version] = await subject.fleet.presence(app, dayOf(clock.now))
      expect(version).toMatchObject({
        ...{ devices: 5, seenToday: 1, seenLast7Days: 2, seenLast30Days: 4 },
      })
    })

    test('are read for one app, of each channel, and between two days', async () => {
      const { app, otherApp, otherStable, beta, clock } = subject.keys
      for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
        subject.check('one', version, { later: DAY })
        subject.check('two', version, { channel: beta })
        subject.check('other', version, { appKey: otherApp, channel: otherStable })
      }
      await subject.fleet.settled()
      const today = dayOf(clock.now)
      const middle = await subject.fleet.adoption(app, today - 1, today - 1)
      expect(middle).toEqual([
        { day: '2026-03-16', channel: 'stable', version: '1.1.0', devices: 1 },
        { day: '2026-03-16', channel: 'beta', version: '1.1.0', devices: 1 },
      ])
      const present = await subject.fleet.presence(app, today)
      expect(present.map(({ channel, devices }) => [channel, devices])).toEqual([
        ['stable', 1],
        ['beta', 1],
      ])
      expect(await subject.fleet.presence(otherApp, today)).toHaveLength(1)
    })

    test('count the check-ins of the present hour and the 24 before it', async () => {
      subject.check('one', '1.0.0')
      subject.check('one', '1.0.0', { later: HOUR })
      subject.check('one', '1.0.0', { later: 24 * HOUR })
      await subject.fleet.settled()
      const { app, clock } = subject.keys
      const [stable] = await subject.fleet.traffic(app, hourOf(clock.now))
      expect(stable?.checkIns).toBe(2)
    })

    test('count the devices on a version of one channel by platform', async () => {
      const { stable, beta } = subject.keys
      for (const id of ['one', 'two', 'moved']) subject.check(id, '1.0.0')
      subject.check('three', '1.0.0', { platform: 'darwin', later: 2 * DAY })
      subject.check('moved', '1.1.0', { platform: 'darwin' })
      subject.check('early', '1.0.0', { channel: beta })
      await subject.fleet.settled()
      const counted = await subject.fleet.platformsOn(stable, '1.0.0')
      expect(counted.toSorted((a, b) => b.devices - a.devices)).toEqual([
        { platform: 'linux', arch: 'x86_64', devices: 2 },
        { platform: 'darwin', arch: 'x86_64', devices: 1 },
      ])
      expect(await subject.fleet.platformsOn(stable, '9.0.0')).toEqual([])
    })

    test('count the devices seen recently', async () => {
      subject.check('gone', '1.0.0')
      subject.check('quarter', '1.0.0', { later: 10 * DAY })
      subject.check('month', '1.0.0', { later: 60 * DAY })
      subject.check('week', '1.0.0', { later: 20 * DAY })
      subject.check('day', '1.0.0', { later: 5 * DAY })
      const [seen, ...more] = await subject.fleet.activeDevices(subject.keys.clock.now)
      expect(seen?.profile.version).toBe('1.0.0')
      expect(seen?.seen).toEqual({ '24h': 1, '7d': 2, '30d': 3, '90d': 4 })
      expect(more).toEqual([])
    })
  })
}
