import { describe, expect, test } from 'vitest'
import { auditEntry } from '../../../../../src/server/catalog/audit-log.ts'
import { dayOf, hourOf } from '../../../../../src/server/fleet/time.ts'
import { ACTOR } from '../../../../support/builders/actor.ts'
import { AT, type FleetSubject } from './subject.ts'

/** What must be left of any fleet when an app or a channel is removed, and what not. */
export function removalContract(subject: FleetSubject): void {
  const remove = (channelKeys: readonly number[], wholeApp: boolean) => {
    const at = new Date(AT).toISOString()
    const entry = auditEntry(at, ACTOR, 'channel.removed', { app: 'editor' }, {}, null)
    return subject.fleet.remove({ appKey: subject.keys.app, channelKeys, wholeApp, entry })
  }
  const fill = async () => {
    const { beta, otherApp, otherStable } = subject.keys
    subject.check('stays', '1.0.0')
    subject.check('goes', '1.0.0', { channel: beta })
    subject.check('moved', '1.0.0', { channel: beta })
    subject.check('moved', '1.0.0', { later: 1_000 })
    subject.check(null, '1.0.0', { channel: beta })
    subject.check('other', '1.0.0', { appKey: otherApp, channel: otherStable })
    await subject.fleet.settled()
  }
  const counted = async (appKey: number) => {
    const { now } = subject.keys.clock
    const [presence, adoption, traffic] = await Promise.all([
      subject.fleet.presence(appKey, dayOf(now)),
      subject.fleet.adoption(appKey, dayOf(AT), dayOf(now)),
      subject.fleet.traffic(appKey, hourOf(now)),
    ])
    return {
      presence: presence.map(({ channel, devices }) => [channel, devices]),
      adoption: adoption.map(({ channel, devices }) => [channel, devices]),
      traffic: traffic.map(({ channel, checkIns }) => [channel, checkIns]),
    }
  }

  describe('a removal', () => {
    test('takes the devices and counters of a channel, and no others', async () => {
      await fill()
      const { app, beta, otherApp } = subject.keys
      expect(await remove([beta], false)).toBe('removed')
      for (const restarts of [false, true]) {
        if (restarts) await subject.restart()
        const page = await subject.fleet.devices(subject.query())
        expect(page.rows.map(({ deviceId }) => deviceId)).toEqual(['moved', 'stays'])
        expect(await subject.fleet.device(app, 'goes')).toBeUndefined()
        expect(await subject.fleet.history(subject.name('goes'), 10)).toEqual([])
        expect(await counted(app)).toEqual({
          presence: [['stable', 2]],
          adoption: [['stable', 2]],
          traffic: [['stable', 2]],
        })
        expect(await counted(otherApp)).toMatchObject({ presence: [['stable', 1]] })
      }
      // What it ran on the channel is no longer known.
      const history = await subject.fleet.history(subject.name('moved'), 10)
      expect(history.map(({ profile }) => profile?.channelKey)).toEqual([
        subject.keys.stable,
        undefined,
      ])
    })

    test('records nothing for what is being removed', async () => {
      await fill()
      const { app, beta, clock } = subject.keys
      const removing = remove([beta], false)
      subject.check('late', '2.0.0', { channel: beta })
      await removing
      subject.check('later', '2.0.0', { channel: beta })
      const said = subject.saying('told', '2.0.0', beta)
      const facts = { checkIns: [said], reports: [], labelDeltas: [] }
      await expect(subject.fleet.commit(facts)).rejects.toThrow()
      await subject.fleet.settled()
      const versions = await subject.fleet.presence(app, dayOf(clock.now))
      expect(versions.map(({ version }) => version)).toEqual(['1.0.0'])
      subject.check('goes', '2.0.0', { later: 1_000 })
      await subject.restart()
      expect(await subject.fleet.device(app, 'goes')).toMatchObject({
        ...{ firstSeen: AT + 2_000, lastSeen: AT + 2_000, profile: { version: '2.0.0' } },
      })
    })

    test('of an app takes all that it has', async () => {
      await fill()
      const { app, stable, beta, otherApp } = subject.keys
      expect(await remove([stable, beta], true)).toBe('removed')
      await subject.restart()
      expect((await subject.fleet.devices(subject.query())).rows).toEqual([])
      expect(await counted(app)).toEqual({ presence: [], adoption: [], traffic: [] })
      expect(await counted(otherApp)).toMatchObject({ adoption: [['stable', 1]] })
    })

    test('that is refused changes nothing', async () => {
      await fill()
      const { app, stable, beta } = subject.keys
      const before = await counted(app)
      expect(await remove([stable], true)).toBe('outdated')
      expect(await remove([stable, beta], false)).toBe('last_channel')
      subject.check('goes', '1.0.0', { channel: beta })
      await subject.fleet.settled()
      expect(await counted(app)).toMatchObject({
        presence: before.presence,
        adoption: before.adoption,
      })
      expect((await subject.fleet.devices(subject.query())).known).toBe(3)
    })
  })
}
