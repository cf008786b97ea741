import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PUSH_LIMITS } from '../../../../../src/server/outbound/outbox/collecting.ts'
import { stillFor } from '../../../../../src/server/outbound/outbox/notices/bundle.ts'
import type {
  OutboxStore,
  PushSubscriptionRecord,
} from '../../../../../src/server/outbound/outbox/store.ts'
import type { Role } from '../../../../../src/shared/access/role.ts'
import { BUNDLE, DEFAULT_CHOICES } from '../../../../../src/shared/events/notice.ts'
import type { NotificationChoices } from '../../../../../src/shared/events/notifications.ts'
import { newApp } from '../catalog/catalog-contract/subject.ts'
import type { OutboxUnderTest } from './outbox-store.contract.ts'

const AT = '2026-03-14T09:26:53.589Z'
/** In the night, and the end of it. */
const NIGHT = '2026-03-15T01:00:00.000Z'
const MORNING = '2026-03-15T07:00:00.000Z'
const QUIET: NotificationChoices = {
  ...DEFAULT_CHOICES,
  quietHours: { from: '22:00', to: '07:00' },
  mail: { ...DEFAULT_CHOICES.mail, releases: 'at_once' },
  push: { ...DEFAULT_CHOICES.push, releases: true },
}

function browserOf(accountId: string, id = `browser of ${accountId}`): PushSubscriptionRecord {
  return {
    ...{ id, accountId, sessionId: null, endpoint: `https://push.example/${id}` },
    ...{ p256dh: 'key', auth: 'secret', userAgent: 'Browser', createdAt: AT },
    ...{ failingSince: null, dropped: 0 },
  }
}

function entry(action: string, version = '1.0.0', app: string | null = 'editor') {
  return {
    ...{ at: AT, actor: { kind: 'person', name: 'noah' } as const, action },
    ...{ app, channel: 'stable', version, before: null, after: { proposedBy: 'mia' } },
  }
}

/** How any store of the outbox notifies people. */
export function noticesContract(name: string, make: () => Promise<OutboxUnderTest>): void {
  describe(name, () => {
    let under: OutboxUnderTest
    let appKey: number
    beforeEach(async () => {
      under = await make()
      appKey = (await under.catalog.transact((tx) => tx.insertApp(newApp('editor')))).key
      await write((tx) => tx.setMailing(true))
    })
    afterEach(() => under.close())

    const write: OutboxStore['transact'] = (work) => under.store.transact(work)
    const person = async (called: string, serverRole: Role | null, appRole?: Role) => {
      await under.people.transact(async (tx) => {
        await tx.insertAccount({
          ...{ id: called, name: called, nameKey: called, email: `${called}@x.example` },
          ...{ serverRole, createdAt: AT, passwordHash: null, vouchedBy: null },
        })
        const appRoles = appRole === undefined ? [] : [{ appKey, role: appRole }]
        await tx.setAccess(called, { serverRole, appRoles })
      })
    }
    const collect = async (at: string, ...entries: ReturnType<typeof entry>[]) => {
      await under.catalog.transact(async (tx) => {
        for (const each of entries) await tx.appendAudit(each)
      })
      await write((tx) => tx.collect(500, Date.parse(at)))
    }
    const due = (at: string) => under.store.due(at, { mails: 99, pushes: 99 })
    const shown = async (at: string) =>
      (await due(at)).deliveries.map(({ to, type, payload }) => {
        const { events, more } = JSON.parse(payload)
        const held = type === BUNDLE ? { events: events.length, more } : {}
        return { to: to.kind, type, ...held }
      })

    test('choices and browsers are read back as they were written, and go with their person', async () => {
      await person('mia', 'viewer')
      const browser = browserOf('mia')
      await write(async (tx) => {
        await tx.setChoices('mia', DEFAULT_CHOICES)
        await tx.setChoices('mia', QUIET)
        await tx.insertSubscription(browser)
        await tx.setPushKey('{"kty":"EC"}')
      })
      expect(await under.other.choicesOf('mia')).toEqual(QUIET)
      expect(await under.other.choicesOf('noah')).toBeNull()
      expect(await under.other.subscriptionsOf('mia')).toEqual([browser])
      expect(await under.other.pushKey()).toBe('{"kty":"EC"}')
      await under.people.transact((tx) => tx.deleteAccount('mia'))
      expect(await under.store.choicesOf('mia')).toBeNull()
      expect(await write((tx) => tx.countSubscriptions())).toBe(0)
    })

    test('in quiet hours everything but alarms waits, together', async () => {
      await person('mia', 'administrator')
      await write(async (tx) => {
        await tx.setChoices('mia', QUIET)
        await tx.insertSubscription(browserOf('mia'))
      })
      await collect(NIGHT, entry('release.published'), entry('artifact.failed'))
      await collect(NIGHT, entry('release.paused'), entry('change_request.declined'))
      const alarm = { type: 'artifact.failed' }
      expect(await shown(NIGHT)).toEqual([
        { ...alarm, to: 'mail' },
        { ...alarm, to: 'push' },
      ])
      const held = { type: BUNDLE, events: 3, more: 0 }
      expect(await shown(MORNING)).toContainEqual({ ...held, to: 'mail' })
      await write((tx) => tx.removeSubscription('browser of mia'))
      expect((await shown(MORNING)).filter(({ to }) => to === 'push')).toEqual([])
    })

    test('a bundle has a bound, and counts what it has no room for', async () => {
      await person('mia', 'administrator')
      await write((tx) => tx.setChoices('mia', QUIET))
      await collect(NIGHT, ...Array.from({ length: 53 }, () => entry('release.paused')))
      expect(await shown(MORNING)).toEqual([{ to: 'mail', type: BUNDLE, events: 50, more: 3 }])
    })

    test('what a person can see no longer is not sent', async () => {
      await person('mia', null, 'viewer')
      await write((tx) => tx.setChoices('mia', QUIET))
      await collect(NIGHT, entry('release.published'))
      const left = async () => {
        const { deliveries, recipients } = await due(MORNING)
        return deliveries.map((delivery) => stillFor(delivery, recipients.get('mia')) !== null)
      }
      expect(await left()).toEqual([true])
      await under.people.transact((tx) => tx.setAccess('mia', { serverRole: null, appRoles: [] }))
      expect(await left()).toEqual([false])
      const access = { serverRole: 'viewer', appRoles: [] } as const
      await under.people.transact((tx) => tx.setAccess('mia', access))
      expect(await left()).toEqual([true])
      await under.people.transact((tx) => tx.setDisabled('mia', AT))
      expect(await left()).toEqual([false])
    })

    test('releases are for who chose them and can see them, but not for who acted', async () => {
      for (const called of ['mia', 'noah', 'default']) await person(called, 'viewer')
      await person('other', null)
      await write(async (tx) => {
        const chosen = { ...QUIET, quietHours: null }
        for (const called of ['mia', 'noah', 'other']) await tx.setChoices(called, chosen)
        for (const called of ['mia', 'noah', 'default', 'other']) {
          await tx.insertSubscription(browserOf(called))
        }
      })
      await collect(NIGHT, entry('release.published'))
      const reached = (await due(NIGHT)).deliveries.map(({ to }) =>
        to.kind === 'webhook' ? '' : `${to.kind} ${to.accountId}`,
      )
      expect(reached).toEqual(['mail mia', 'push mia'])
    })

    test('a browser gets what comes after it, and only so much', async () => {
      await person('mia', 'administrator')
      await collect(NIGHT, entry('artifact.failed'))
      await write((tx) => tx.insertSubscription(browserOf('mia')))
      expect((await due(NIGHT)).subscriptions).toEqual([])
      const { pending } = PUSH_LIMITS
      await collect(NIGHT, ...Array.from({ length: pending + 3 }, () => entry('artifact.failed')))
      const { deliveries, subscriptions } = await due(NIGHT)
      // One after the other.
      expect(deliveries.filter(({ to }) => to.kind === 'push')).toHaveLength(1)
      expect(subscriptions).toMatchObject([{ dropped: 3 }])
    })

    test('sessions that are ended take their browser along, and those that expire do not', async () => {
      await person('mia', 'viewer')
      const session = (id: string) => ({
        ...{ id, kind: 'browser' as const, accountId: 'mia', tokenHash: id, createdAt: AT },
        ...{ lastUsedAt: AT, expiresAt: AT, address: '192.0.2.1', userAgent: 'Browser' },
      })
      const begin = async (id: string) => {
        await under.people.transact((tx) => tx.insertSession(session(id)))
        await write((tx) => tx.insertSubscription({ ...browserOf('mia', id), sessionId: id }))
      }
      const browsers = async () =>
        (await under.store.subscriptionsOf('mia')).map(({ id, sessionId }) => [id, sessionId])
      for (const id of ['ended', 'expired', 'kept', 'other']) await begin(id)
      await under.people.transact((tx) => tx.deleteSessions(['ended']))
      await under.people.transact((tx) => tx.deleteExpiredSessions(['expired']))
      expect(await browsers()).toEqual([
        ['expired', null],
        ['kept', 'kept'],
        ['other', 'other'],
      ])
      await under.people.transact((tx) => tx.deleteBrowsers('mia', 'kept'))
      expect(await browsers()).toEqual([['kept', 'kept']])
      await under.people.transact((tx) => tx.deleteBrowsers('mia', null))
      expect(await browsers()).toEqual([])
    })
  })
}
