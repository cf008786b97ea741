import { expect, test } from 'vitest'
import { routesOf } from '../../../../src/server/outbound/outbox/notices/route.ts'
import {
  DEFAULT_CHOICES,
  NOTICE_KINDS,
  type NoticeKind,
} from '../../../../src/shared/events/notice.ts'
import type { NotificationChoices } from '../../../../src/shared/events/notifications.ts'

const BERLIN: NotificationChoices = {
  ...DEFAULT_CHOICES,
  quietHours: { from: '22:00', to: '07:00' },
  timeZone: 'Europe/Berlin',
}

/** When mail and push are sent, as ISO 8601; `now` where they do not wait. */
function sentAt(choices: NotificationChoices, kind: NoticeKind, at: string, app = 'editor') {
  const { mail, push } = routesOf(choices, { kind, app, now: Date.parse(at) })
  return [mail, push].map((route) => {
    if (route === null) return null
    return route.isHeld ? new Date(route.at).toISOString() : 'now'
  })
}

test('quiet hours last across midnight, on the clocks of the person', () => {
  expect(sentAt(BERLIN, 'approvals', '2026-11-27T20:59:00Z')).toEqual(['now', 'now'])
  const morning = '2026-11-28T06:00:00.000Z'
  expect(sentAt(BERLIN, 'approvals', '2026-11-27T21:00:00Z')).toEqual([morning, morning])
  expect(sentAt(BERLIN, 'approvals', '2026-11-28T05:59:59Z')).toEqual([morning, morning])
  expect(sentAt(BERLIN, 'approvals', morning)).toEqual(['now', 'now'])
  // The night in which clocks are put forward.
  const summer = '2026-03-29T05:00:00.000Z'
  expect(sentAt(BERLIN, 'approvals', '2026-03-28T22:30:00Z')).toEqual([summer, summer])
  const atNoon = { ...BERLIN, quietHours: { from: '12:00', to: '13:00' } }
  const after = '2026-11-27T12:00:00.000Z'
  expect(sentAt(atNoon, 'approvals', '2026-11-27T11:30:00Z')).toEqual([after, after])
  expect(sentAt(atNoon, 'approvals', '2026-11-27T23:30:00Z')).toEqual(['now', 'now'])
})

test('alarms never wait', () => {
  for (const kind of NOTICE_KINDS) {
    const isNow = sentAt(BERLIN, kind, '2026-11-27T23:00:00Z').includes('now')
    expect(isNow, kind).toBe(kind === 'alarms')
  }
})

test('a digest is mailed once a day, not within quiet hours, and push goes its own way', () => {
  const digest = { ...BERLIN.mail, releases: 'digest' } as const
  const choices = { ...BERLIN, mail: digest, push: { ...BERLIN.push, releases: true } }
  const at = (digestAt: string, now: string) => sentAt({ ...choices, digestAt }, 'releases', now)
  expect(at('08:00', '2026-11-27T10:00:00Z')).toEqual(['2026-11-28T07:00:00.000Z', 'now'])
  expect(at('18:00', '2026-11-27T10:00:00Z')).toEqual(['2026-11-27T17:00:00.000Z', 'now'])
  expect(at('23:59', '2026-11-27T10:00:00Z')).toEqual(['2026-11-28T06:00:00.000Z', 'now'])
})

test('of an app, a person can want alarms alone, or nothing', () => {
  const now = '2026-11-27T10:00:00Z'
  const only = (level: 'alarms' | 'none') => ({ ...BERLIN, apps: [{ app: 'editor', level }] })
  expect(sentAt(only('alarms'), 'alarms', now)).toEqual(['now', 'now'])
  expect(sentAt(only('alarms'), 'approvals', now)).toEqual([null, null])
  expect(sentAt(only('none'), 'alarms', now)).toEqual([null, null])
  expect(sentAt(only('none'), 'alarms', now, 'player')).toEqual(['now', 'now'])
})
