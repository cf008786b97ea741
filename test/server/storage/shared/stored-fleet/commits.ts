import { describe, expect, test } from 'vitest'
import { dayOf, hourOf } from '../../../../../src/server/fleet/time.ts'
import { profileOf } from '../../../../support/fleet/profile-of.ts'
import { AT, type FleetSubject } from './subject.ts'

/** How any fleet must commit what one call says. */
export function commitContract(subject: FleetSubject): void {
  describe('a call', () => {
    const report = (deviceId: string, parts: { platform?: string; arch?: string } = {}) => {
      const { app: appKey, stable: newOn, clock } = subject.keys
      const { platform, arch } = parts
      return { appKey, deviceId, at: clock.now, version: '2.0.0', platform, arch, newOn }
    }
    const delta = (deviceId: string, set: Record<string, string>, remove: string[] = []) => {
      const { app: appKey, clock } = subject.keys
      return { appKey, deviceId, at: clock.now, set, remove }
    }

    test('is stored when it is answered, with the time of each fact', async () => {
      const checkIn = { ...subject.saying('one', '1.0.0'), at: AT - 60_000 }
      await subject.fleet.commit({
        checkIns: [checkIn, subject.saying('one', '1.1.0'), subject.saying('two', '1.0.0')],
        reports: [],
        labelDeltas: [
          delta('one', { ring: 'beta', site: 'a' }),
          delta('one', { ring: 'stable' }, ['site']),
          delta('never', { ring: 'x' }),
        ],
      })
      const { app, clock } = subject.keys
      const [version] = await subject.fleet.presence(app, dayOf(clock.now))
      expect(version?.devices).toBe(1)
      await subject.restart()
      expect(await subject.fleet.device(app, 'one')).toMatchObject({
        ...{ firstSeen: AT - 60_000, lastSeen: AT, labels: { ring: 'stable' } },
        profile: { version: '1.1.0' },
      })
      expect(await profileOf(subject.fleet, app, 'never')).toBeUndefined()
      const history = await subject.fleet.history(subject.name('one'), 10)
      expect(history.map(({ at }) => at)).toEqual([AT, AT - 60_000])
    })

    test('keeps facts that a report omits', async () => {
      const { app, beta, stable, clock } = subject.keys
      subject.check('known', '1.0.0', { channel: beta, platform: 'darwin' })
      const twice = [report('known', { arch: 'arm64' }), report('known'), report('new')]
      await subject.fleet.commit({ checkIns: [], reports: twice, labelDeltas: [] })
      const known = { channelKey: beta, version: '2.0.0', platform: 'darwin', arch: 'arm64' }
      expect(await profileOf(subject.fleet, app, 'known')).toMatchObject(known)
      const fresh = { channelKey: stable, version: '2.0.0', platform: '', arch: '' }
      expect(await profileOf(subject.fleet, app, 'new')).toMatchObject(fresh)
      const [newest] = await subject.fleet.checkIns(subject.name('new'), undefined, 1)
      expect(newest).toMatchObject({ source: 'report', reason: null })
      const traffic = await subject.fleet.traffic(app, hourOf(clock.now))
      expect(traffic.map(({ checkIns }) => checkIns)).toEqual([1, 3])
    })
  })
}
