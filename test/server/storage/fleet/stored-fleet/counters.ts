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
