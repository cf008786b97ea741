import { describe, expect, test } from 'vitest'
import { auditEntry } from '../../../../../src/server/catalog/audit-log.ts'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import type { HealthState } from '../../../../../src/shared/health/health.ts'
import { ACTOR } from '../../../../support/builders/actor.ts'
import { AT, type FleetSubject } from './subject.ts'

const HOUR = 3_600_000
/** Every hour, so that silence is not taken for a server that was down. */
const BEAT = 'beat'

/** What any fleet must know of the devices that were offered a release. */
export function healthContract(subject: FleetSubject): void {
  const releaseOn = (channelKey: number, version = '2.0.0') => {
    return { id: `${channelKey}-${version}`, channelKey, version }
  }
  const offer = (
    deviceId: string,
    version: string,
    more: Partial<CheckIn> & { to?: string; later?: number } = {},
  ) => {
    const { to = '2.0.0', ...rest } = more
    const channel = rest.profile?.channelKey ?? subject.keys.stable
    subject.check(deviceId, version, { reason: 'update', offered: releaseOn(channel, to), ...rest })
  }
  const health = async (channelKey = subject.keys.stable, version = '2.0.0') => {
    await subject.fleet.settled()
    const { now } = subject.keys.clock
    return await subject.fleet.releaseHealth(releaseOn(channelKey, version).id, now)
  }
  const report = (deviceId: string, outcome: 'ok' | 'failed', detail = '') => {
    const { id: releaseId, channelKey } = releaseOn(subject.keys.stable)
    const at = subject.keys.clock.now
    subject.fleet.recordOutcome({
      ...subject.name(deviceId),
      channelKey,
      releaseId,
      at,
      outcome,
      detail,
    })
  }
  const listed = async (...states: HealthState[]) => {
    await subject.fleet.settled()
    const filter = { releaseId: releaseOn(subject.keys.stable).id, states }
    const query = subject.query({ health: { ...filter, now: subject.keys.clock.now } })
    return (await subject.fleet.devices(query)).rows.map(({ deviceId }) => deviceId)
  }
  /** One device in each state, and what is left of the release before. */
  const fill = async () => {
    for (const device of ['waits', 'adopts', 'sticks', 'reverts', 'reports', 'silent', 'goes']) {
      offer(device, '1.0.0')
    }
    subject.check('adopts', '2.0.0', { later: HOUR })
    subject.check('reverts', '2.0.0')
    report('reports', 'failed', 'No space left')
    offer('goes', '1.0.0', { to: '3.0.0' })
    for (let hour = 0; hour < 100; hour++) {
      subject.check(BEAT, '2.0.0', { later: HOUR })
      if (hour % 12 === 0) offer('sticks', '1.0.0')
    }
    subject.check('reverts', '1.0.0')
    offer('waits', '1.0.0')
    await subject.fleet.settled()
  }
  const STATES = {
    ...{ waiting: ['waits'], adopted: ['adopts'], stuck: ['sticks'], reverted: ['reverts'] },
    ...{ silent: ['silent'], reported: ['reports'] },
  } as const

  describe('the health of a release', () => {
    test('counts each device once, and lists it', async () => {
      await fill()
      for (const restarts of [false, true]) {
        if (restarts) await subject.restart()
        expect((await health())?.health).toEqual({
          ...{ offered: 6, waiting: 1, adopted: 1, stuck: 1, reverted: 1, silent: 1, reported: 1 },
        })
        for (const [state, devices] of Object.entries(STATES)) {
          expect([state, await listed(state as HealthState)]).toEqual([state, devices])
        }
        expect(await listed('stuck', 'silent')).toEqual(['silent', 'sticks'])
        expect((await health(undefined, '3.0.0'))?.health).toMatchObject({ offered: 1, silent: 1 })
      }
      expect((await health())?.movedOn).toBe(0)
      subject.check('adopts', '2.0.0', {
        reason: 'update',
        offered: releaseOn(subject.keys.stable, '3.0.0'),
      })
      for (const restarts of [false, true]) {
        if (restarts) await subject.restart()
        expect(await health()).toMatchObject({ movedOn: 1, health: { offered: 6, adopted: 1 } })
        expect(await listed('adopted')).toEqual([])
      }
      // An hour, to a tenth, of both that adopted it.
      const { median = 0, p90 = 0 } = (await health())?.adoption ?? {}
      for (const time of [median, p90]) expect(Math.abs(time / HOUR - 1)).toBeLessThan(0.1)
    })

    test('counts every offer, also those within a minute', async () => {
      for (const later of [1_000, 1_000, 24 * HOUR]) offer('sticks', '1.0.0', { later })
      expect(await listed('stuck')).toEqual(['sticks'])
      expect((await health())?.health).toMatchObject({ offered: 1, stuck: 1 })
    })

    test('is that of the channel, newest first offer first', async () => {
      await fill()
      const { stable: channelKey, beta, clock } = subject.keys
      const query = { channelKey, now: clock.now, limit: 20 }
      const found = await subject.fleet.channelHealth(query)
      expect(found.map(({ version, offeredAt }) => [version, offeredAt])).toEqual([
        ['3.0.0', AT + HOUR],
        ['2.0.0', AT],
      ])
      expect(await subject.fleet.channelHealth({ ...query, channelKey: beta })).toEqual([])
      expect(await subject.fleet.releaseHealth('unknown', clock.now)).toBeNull()
    })

    test('keeps what apps said, and forgets it with the device', async () => {
      await fill()
      const { id } = releaseOn(subject.keys.stable)
      const details = () => subject.fleet.outcomeDetails(id, 10)
      expect(await details()).toEqual([
        { deviceId: 'reports', at: AT + HOUR, detail: 'No space left' },
      ])
      await subject.fleet.forget([subject.name('reports')])
      expect(await details()).toEqual([])
      expect((await health())?.health).toMatchObject({ offered: 5, reported: 0 })
    })

    test('keeps the newest hundred details', async () => {
      offer('one', '1.0.0')
      for (let at = 0; at < 130; at++) report('one', 'failed', `Attempt ${at}`)
      await subject.fleet.settled()
      const details = await subject.fleet.outcomeDetails(releaseOn(subject.keys.stable).id, 1_000)
      expect(details).toHaveLength(100)
      expect(details[0]?.detail).toBe('Attempt 129')
    })

    test('is sampled once an hour, for as long as it is new', async () => {
      offer('one', '1.0.0')
      const { id } = releaseOn(subject.keys.stable)
      const sampled = async (later: number) => {
        subject.check(BEAT, '2.0.0', { later })
        await subject.fleet.settled()
        await subject.fleet.sampleHealth(subject.keys.clock.now)
      }
      await sampled(0)
      subject.check('one', '2.0.0')
      // Within the same hour of its age: the first counts.
      await sampled(HOUR / 2)
      await sampled(HOUR / 2)
      expect(await subject.fleet.healthAt(id, 0)).toMatchObject({ offered: 1, waiting: 1 })
      expect(await subject.fleet.healthAt(id, 1)).toMatchObject({ offered: 1, adopted: 1 })
      expect(await subject.fleet.healthAt(id, 500)).toMatchObject({ adopted: 1 })
      expect(await subject.fleet.healthAt('unknown', 1)).toBeNull()
    })

    test('goes with its channel', async () => {
      const { app, beta, stable, clock } = subject.keys
      const onBeta = subject.saying('x', '1.0.0', beta).profile
      offer('goes', '1.0.0', { profile: onBeta })
      offer('moves', '1.0.0', { profile: onBeta })
      offer('moves', '1.0.0')
      await subject.fleet.settled()
      expect((await health(beta))?.health).toMatchObject({ offered: 1, waiting: 1 })
      const at = new Date(AT).toISOString()
      const entry = auditEntry(at, ACTOR, 'channel.removed', { app: 'editor' }, {}, null)
      const removal = { appKey: app, channelKeys: [beta], wholeApp: false, entry }
      expect(await subject.fleet.remove(removal)).toBe('removed')
      for (const restarts of [false, true]) {
        if (restarts) await subject.restart()
        expect(await health(beta)).toBeNull()
        expect((await health(stable))?.health).toMatchObject({ offered: 1, waiting: 1 })
      }
      // Its number is not given out again: the log still knows it.
      offer('moves', '1.0.0', { to: '4.0.0' })
      expect((await health(stable, '4.0.0'))?.health).toMatchObject({ offered: 1 })
      expect(
        (await subject.fleet.channelHealth({ channelKey: stable, now: clock.now, limit: 5 })).map(
          ({ version }) => version,
        ),
      ).toEqual(['4.0.0', '2.0.0'])
    })

    test('is in the check-ins of each device', async () => {
      await fill()
      const seen = async (deviceId: string) => {
        const checkIns = await subject.fleet.checkIns(subject.name(deviceId), undefined, 50)
        return checkIns.map(({ episode }) => episode && `${episode.version} ${episode.state}`)
      }
      expect(await seen('reverts')).toEqual(['2.0.0 reverted', '2.0.0 adopted', '2.0.0 waiting'])
      expect(await seen('goes')).toEqual(['3.0.0 waiting', '2.0.0 waiting'])
      expect(new Set(await seen(BEAT))).toEqual(new Set([null]))
    })
  })
}
