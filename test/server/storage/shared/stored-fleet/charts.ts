import { describe, expect, test } from 'vitest'
import { auditEntry } from '../../../../../src/server/catalog/audit-log.ts'
import { type ChartQuery, MAX_CHANGES } from '../../../../../src/server/fleet/charts/charts.ts'
import { dayOf, hourOf } from '../../../../../src/server/fleet/time.ts'
import { ACTOR } from '../../../../support/builders/actor.ts'
import { DAY, HOUR } from '../../../../support/builders/time.ts'
import { AT, type FleetSubject } from './subject.ts'

const iso = (at: number) => new Date(at).toISOString()

/** What charts of any fleet must show. */
export function chartContract(subject: FleetSubject): void {
  const query = (more: Partial<ChartQuery> = {}): ChartQuery => {
    const { app: appKey, clock } = subject.keys
    const today = dayOf(clock.now)
    const span = { unit: 'day', from: today - 2, to: today } as const
    return { appKey, app: 'editor', channel: null, span, today, marksFrom: iso(0), ...more }
  }
  const beta = () => ({ key: subject.keys.beta, name: 'beta' })

  /** Three days, the last of them in two hours. */
  const fill = async () => {
    const { otherApp, otherStable } = subject.keys
    subject.check('one', '1.0.0')
    subject.check('two', '1.0.0', { channel: subject.keys.beta })
    subject.check('one', '1.1.0', { later: 2 * DAY, reason: 'update' })
    subject.check(null, '1.0.0')
    subject.check('one', '1.10.0', { later: HOUR })
    subject.check('two', '1.10.0', { channel: subject.keys.beta })
    subject.check('other', '9.0.0', { appKey: otherApp, channel: otherStable })
    await subject.fleet.settled()
  }

  describe('charts', () => {
    test('have the devices and check-ins of every day', async () => {
      await fill()
      const today = dayOf(subject.keys.clock.now)
      const { adoption, traffic } = await subject.fleet.charts(query())
      expect(adoption).toEqual({
        total: [2, 0, 2],
        bands: [
          { version: '1.10.0', devices: [0, 0, 2] },
          { version: '1.0.0', devices: [2, 0, 0] },
        ],
        otherVersions: 0,
      })
      expect(traffic).toEqual([
        { step: today - 2, checkIns: 2, anonymous: 0, offers: 0 },
        { step: today, checkIns: 4, anonymous: 1, offers: 1 },
      ])
    })

    test('have the devices and check-ins of every hour', async () => {
      await fill()
      const to = hourOf(subject.keys.clock.now)
      const span = { unit: 'hour', from: to - 1, to } as const
      const { adoption, traffic } = await subject.fleet.charts(query({ span }))
      expect(adoption).toEqual({
        total: [1, 2],
        bands: [
          { version: '1.10.0', devices: [0, 2] },
          { version: '1.1.0', devices: [1, 0] },
        ],
        otherVersions: 0,
      })
      expect(traffic).toEqual([
        { step: to - 1, checkIns: 2, anonymous: 1, offers: 1 },
        { step: to, checkIns: 2, anonymous: 0, offers: 0 },
      ])
    })

    test('have the versions of the devices as they are now', async () => {
      await fill()
      const { versions } = await subject.fleet.charts(query())
      expect(versions.map(({ channel, version, devices }) => [channel, version, devices])).toEqual([
        ['stable', '1.10.0', 1],
        ['beta', '1.10.0', 1],
      ])
      subject.keys.clock.now += DAY
      const later = await subject.fleet.charts(query())
      expect(later.versions.map(({ seenToday }) => seenToday)).toEqual([0, 0])
    })

    test('are of one channel where one is asked for', async () => {
      await fill()
      const shown = await subject.fleet.charts(query({ channel: beta() }))
      expect(shown.adoption.total).toEqual([1, 0, 1])
      expect(shown.traffic.map(({ checkIns }) => checkIns)).toEqual([1, 1])
      expect(shown.versions.map(({ channel }) => channel)).toEqual(['beta'])
    })

    test('have the changes of releases since a time, newest first', async () => {
      const said = (minute: number, action: string, place: { app: string; channel: string }) => {
        const subjectOf = { ...place, version: `1.${minute}.0` }
        const entry = auditEntry(
          iso(AT + minute * 60_000),
          ACTOR,
          action,
          subjectOf,
          {},
          { minute },
        )
        return subject.keys.audit(entry)
      }
      const stable = { app: 'editor', channel: 'stable' }
      const onBeta = { app: 'editor', channel: 'beta' }
      await said(0, 'release.published', stable)
      await said(1, 'release.published', stable)
      await said(2, 'release.serving_changed', onBeta)
      await said(3, 'channel.policy_changed', stable)
      await said(4, 'release.published', { app: 'player', channel: 'stable' })
      const marksFrom = iso(AT + 60_000)
      const { changes } = await subject.fleet.charts(query({ marksFrom }))
      expect(changes).toEqual([
        {
          ...{ at: iso(AT + 120_000), channel: 'beta', version: '1.2.0' },
          ...{ action: 'release.serving_changed', before: '{}', after: '{"minute":2}' },
        },
        expect.objectContaining({ version: '1.1.0', action: 'release.published' }),
      ])
      const ofBeta = await subject.fleet.charts(query({ channel: beta(), marksFrom }))
      expect(ofBeta.changes.map(({ version }) => version)).toEqual(['1.2.0'])
    })

    test('have at most 100 changes', async () => {
      const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
      for (let second = 0; second <= MAX_CHANGES; second++) {
        const at = iso(AT + second * 1_000)
        await subject.keys.audit(auditEntry(at, ACTOR, 'release.published', place, {}, {}))
      }
      const { changes } = await subject.fleet.charts(query())
      expect(changes).toHaveLength(MAX_CHANGES)
      expect(changes.at(-1)?.at).toBe(iso(AT + 1_000))
    })
  })
}
