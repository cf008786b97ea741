import { describe, expect, test } from 'vitest'
import { dayOf } from '../../../../../src/server/fleet/time.ts'
import { DAY } from '../../../../support/builders/time.ts'
import { profileOf } from '../../../../support/fleet/profile-of.ts'
import type { FleetSubject } from './subject.ts'

/** What any fleet must delete, and what not. */
export function upkeepContract(subject: FleetSubject): void {
  const countOf = async () => {
    const { app, clock } = subject.keys
    const presence = await subject.fleet.presence(app, dayOf(clock.now))
    return presence.reduce((sum, { devices }) => sum + devices, 0)
  }

  describe('upkeep', () => {
    test('deletes old check-ins, and leaves devices and counters', async () => {
      subject.check('one', '1.0.0')
      subject.check('one', '1.1.0', { later: 40 * DAY })
      await subject.restart()
      const { now } = subject.keys.clock
      for await (const _slice of subject.fleet.retainCheckIns({ before: now - DAY, now })) {
        // Every slice is run.
      }
      const checkIns = await subject.fleet.checkIns(subject.name('one'), undefined, 10)
      expect(checkIns.map(({ at }) => at)).toEqual([now])
      expect(await subject.fleet.history(subject.name('one'), 10)).toHaveLength(2)
      expect(await countOf()).toBe(1)
    })

    test('deletes devices that were not seen for long', async () => {
      subject.check('old', '1.0.0')
      subject.check('here', '1.0.0', { later: 40 * DAY })
      await subject.fleet.settled()
      const before = subject.keys.clock.now - DAY
      let deleted = 0
      const rule = { before, onceBefore: Number.NEGATIVE_INFINITY }
      for await (const devices of subject.fleet.retainDevices(rule)) deleted += devices
      expect(deleted).toBe(1)
      const { app } = subject.keys
      expect(await profileOf(subject.fleet, app, 'old')).toBeUndefined()
      expect(await profileOf(subject.fleet, app, 'here')).toBeDefined()
      expect(await countOf()).toBe(1)
    })

    test('forgets a device with all that it had, and one that is back is new', async () => {
      subject.check('one', '1.0.0', { labels: { set: { ring: 'beta' }, remove: [] } })
      subject.check('two', '1.0.0')
      await subject.fleet.forget([subject.name('one'), subject.name('never')])
      const { app, clock } = subject.keys
      expect(await subject.fleet.device(app, 'one')).toBeUndefined()
      expect(await subject.fleet.labelsOf(app, ['one'])).toEqual([{}])
      expect(await countOf()).toBe(1)
      subject.check('one', '1.1.0', { later: DAY })
      await subject.restart()
      expect(await subject.fleet.device(app, 'one')).toMatchObject({
        ...{ firstSeen: clock.now, labels: {}, profile: { version: '1.1.0' } },
      })
      expect(await subject.fleet.history(subject.name('one'), 10)).toHaveLength(1)
      expect(await subject.fleet.pendingErasures()).toEqual([])
    })
  })
}
