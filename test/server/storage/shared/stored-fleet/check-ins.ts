import { describe, expect, test } from 'vitest'
import type { LabelMap } from '../../../../../src/shared/names.ts'
import { setting } from '../../../../support/builders/labels.ts'
import { profileOf } from '../../../../support/fleet/profile-of.ts'
import { AT, type FleetSubject } from './subject.ts'

/** What any fleet must know of its devices. */
export function checkInContract(subject: FleetSubject): void {
  test('a check-in is announced once it is stored', async () => {
    const heard: unknown[] = []
    subject.fleet.feed.subscribe(({ sequence, deviceId, version }) =>
      heard.push({ sequence, deviceId, version, queued: subject.fleet.health.queued }),
    )
    subject.check('one', '1.0.0')
    subject.check(null, '1.1.0')
    expect(heard).toEqual([])
    await subject.fleet.settled()
    expect(heard).toEqual([
      { sequence: 1, deviceId: 'one', version: '1.0.0', queued: 0 },
      { sequence: 2, deviceId: null, version: '1.1.0', queued: 0 },
    ])
  })

  describe('a device', () => {
    test('is its last report, immediately and after a restart', async () => {
      expect(await subject.fleet.device(subject.keys.app, 'one')).toBeUndefined()
      subject.check('one', '1.0.0', { labels: setting({ ring: 'beta' }) })
      subject.check('one', '1.1.0', { later: 60_000, channel: subject.keys.beta })
      const { app, beta } = subject.keys
      const profile = { channelKey: beta, version: '1.1.0', platform: 'linux', arch: 'x86_64' }
      expect(await profileOf(subject.fleet, app, 'one')).toMatchObject(profile)
      const device = {
        ...{ appKey: app, deviceId: 'one', labels: { ring: 'beta' }, profile },
        ...{ firstSeen: AT, lastSeen: AT + 60_000 },
      }
      await subject.fleet.settled()
      expect(await subject.fleet.device(app, 'one')).toEqual(device)
      await subject.restart()
      expect(await subject.fleet.device(app, 'one')).toEqual(device)
    })

    test('is found by its app and its exact id', async () => {
      subject.check('one', '1.0.0')
      subject.check('ONE', '1.1.0')
      const { app, otherApp, otherStable } = subject.keys
      subject.check('one', '1.2.0', { appKey: otherApp, channel: otherStable })
      const versionOf = async (appKey: number, id: string) =>
        (await profileOf(subject.fleet, appKey, id))?.version
      expect([await versionOf(app, 'one'), await versionOf(app, 'ONE')]).toEqual(['1.0.0', '1.1.0'])
      expect([await versionOf(otherApp, 'one'), await versionOf(otherApp, 'ONE')]).toEqual([
        '1.2.0',
        undefined,
      ])
      expect(await versionOf(app, 'on')).toBeUndefined()
    })

    test('has the labels that each check-in in turn set and removed', async () => {
      subject.check('one', '1.0.0', { labels: setting({ ring: 'beta', site: 'Zürich "🎬"\\' }) })
      await subject.fleet.settled()
      subject.check('one', '1.0.0', { labels: { set: { constructor: 'x' }, remove: ['ring'] } })
      subject.check('two', '1.0.0', { labels: setting({ a: 'b' }) })
      subject.check('two', '1.0.0', { labels: { set: {}, remove: ['a', 'never'] } })
      const labels: LabelMap[] = [{ site: 'Zürich "🎬"\\', constructor: 'x' }, {}, {}]
      const names = ['one', 'two', 'none']
      expect(await subject.fleet.labelsOf(subject.keys.app, names)).toEqual(labels)
      await subject.restart()
      expect(await subject.fleet.labelsOf(subject.keys.app, names)).toEqual(labels)
    })

    test('has a history and check-ins, newest first', async () => {
      const { stable } = subject.keys
      for (const version of ['1.0.0', '1.0.0', '1.1.0', '1.0.0']) {
        subject.check('one', version, { later: 1_000 })
      }
      const name = subject.name('one')
      const history = await subject.fleet.history(name, 10)
      expect(history.map(({ at, profile }) => [at - AT, profile?.version])).toEqual([
        [4_000, '1.0.0'],
        [3_000, '1.1.0'],
        [1_000, '1.0.0'],
      ])
      expect(history[0]?.profile).toEqual({
        ...{ channelKey: stable, version: '1.0.0', platform: 'linux', arch: 'x86_64' },
      })
      const page = await subject.fleet.checkIns(name, undefined, 3)
      expect(page.map(({ at }) => at - AT)).toEqual([4_000, 3_000, 2_000])
      expect(page[0]).toMatchObject({ source: 'check', reason: 'up_to_date' })
      const rest = await subject.fleet.checkIns(name, page[2]?.id, 3)
      expect(rest.map(({ at }) => at - AT)).toEqual([2_000, 1_000])
      expect(await subject.fleet.history(subject.name('none'), 10)).toEqual([])
      expect(await subject.fleet.checkIns(subject.name('none'), undefined, 10)).toEqual([])
    })
  })
}
