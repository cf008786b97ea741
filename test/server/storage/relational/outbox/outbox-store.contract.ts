import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CatalogStore } from '../../../../../src/server/catalog/store.ts'
import { MAX_PENDING } from '../../../../../src/server/outbound/outbox/collecting.ts'
import type {
  DeliveryRecord,
  OutboxStore,
  WebhookRecord,
} from '../../../../../src/server/outbound/outbox/store.ts'
import type { PeopleStore } from '../../../../../src/server/people/store.ts'
import type { Role } from '../../../../../src/shared/access/role.ts'
import { newApp } from '../catalog/catalog-contract/subject.ts'

/** The outbox of one storage, seen through two stores that share nothing else, and what it gets events from. */
export interface OutboxUnderTest {
  readonly store: OutboxStore
  readonly other: OutboxStore
  readonly catalog: CatalogStore
  readonly people: PeopleStore
  readonly close: () => Promise<void>
}

const AT = '2026-03-14T09:26:53.589Z'
const LATER = '2026-03-15T00:00:00.000Z'
const NOW = Date.parse(LATER)
const PATIENTLY = { timeout: 5_000, interval: 20 } as const

function newWebhook(id: string, parts: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    ...{ id, name: id, url: 'https://hooks.example/x', format: 'standard', appKey: null },
    ...{ events: ['release.published'], secret: 'whsec_x', previous: null, createdAt: AT },
    ...{ disabled: null, failingSince: null, dropped: 0, revision: 1 },
    ...parts,
  }
}

export function newMail(parts: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    ...{ id: 'mail', to: { kind: 'mail', address: 'mia@example.com' }, type: 'test' },
    ...{ payload: '{"subject":"Ünïcode"}', state: 'pending', createdAt: AT, giveUpAt: LATER },
    ...{ nextAt: AT, tries: 0, attempts: [] },
    ...parts,
  }
}

function newDelivery(id: string, webhookId: string, parts: Partial<DeliveryRecord> = {}) {
  return newMail({ id, to: { kind: 'webhook', webhookId }, ...parts })
}

function entry(action: string, app: string | null = 'editor', after: unknown = null) {
  return {
    ...{ at: AT, actor: { kind: 'person', name: 'mia' } as const, action },
    ...{ app, channel: 'stable', version: '1.0.0', before: null, after },
  }
}

/** What any store of the outbox must do. */
export function outboxStoreContract(name: string, make: () => Promise<OutboxUnderTest>): void {
  describe(name, () => {
    let under: OutboxUnderTest
    beforeEach(async () => {
      under = await make()
    })
    afterEach(() => under.close())

    const write: OutboxStore['transact'] = (work) => under.store.transact(work)
    const log = (...entries: ReturnType<typeof entry>[]) =>
      under.catalog.transact(async (tx) => {
        for (const each of entries) await tx.appendAudit(each)
      })
    const collect = (limit = 500) => write((tx) => tx.collect(limit, NOW))
    const due = async (mails = 99) =>
      (await under.store.due(LATER, { mails, pushes: 99 })).deliveries

    test('webhooks and deliveries are read back as they were written, and go together', async () => {
      const full = newWebhook('b', {
        previous: { secret: 'whsec_y', until: LATER },
        disabled: { at: AT, by: 'person' },
        failingSince: AT,
        dropped: 7,
      })
      const delivery = newDelivery('one', 'b', {
        attempts: [{ at: AT, milliseconds: 5, status: 503, failure: null, response: 'a' }],
      })
      await write(async (tx) => {
        await tx.insertWebhook(full)
        await tx.insertWebhook(newWebhook('a'))
        await tx.insertDelivery(delivery)
        expect(await tx.webhooks()).toHaveLength(2)
        expect(await tx.delivery('one')).toEqual(delivery)
        expect(await under.other.webhooks()).toEqual([])
      })
      expect(await under.other.webhooks()).toEqual([newWebhook('a'), full])
      expect(await under.other.delivery('one')).toEqual(delivery)
      await write((tx) => tx.removeWebhook('b'))
      expect(await under.store.delivery('one')).toBeUndefined()
      for (const change of [
        () => write((tx) => tx.removeWebhook('b')),
        () => write((tx) => tx.setWebhook(full)),
        () => write((tx) => tx.requeue('one', AT, LATER)),
      ]) {
        await expect(change()).rejects.toMatchObject({ code: 'rejected' })
      }
    })

    test('due are the earliest delivery of every enabled webhook, and mails', async () => {
      await write(async (tx) => {
        await tx.insertWebhook(newWebhook('a'))
        await tx.insertWebhook(newWebhook('b'))
        await tx.insertWebhook(newWebhook('off', { disabled: { at: AT, by: 'person' } }))
        await tx.insertDelivery(newDelivery('second', 'a', { nextAt: LATER }))
        await tx.insertDelivery(newDelivery('first', 'a'))
        await tx.insertDelivery(newDelivery('future', 'b', { nextAt: '2027-01-01T00:00:00.000Z' }))
        await tx.insertDelivery(newDelivery('off', 'off'))
        await tx.insertDelivery(newDelivery('sent', 'b', { state: 'delivered', nextAt: null }))
        await tx.insertDelivery(newMail({ id: 'later mail', nextAt: LATER }))
        await tx.insertDelivery(newMail({ id: 'mail' }))
      })
      const ids = async (mails: number) => (await due(mails)).map(({ id }) => id)
      expect(await ids(9)).toEqual(['first', 'mail', 'later mail'])
      expect(await ids(1)).toEqual(['first', 'mail'])
      expect(await ids(0)).toEqual(['first'])
      expect(
        (await under.store.due(LATER, { mails: 0, pushes: 0 })).webhooks.map(({ id }) => id),
      ).toEqual(['a', 'b'])
      expect(await under.store.pending()).toEqual(new Map(Object.entries({ a: 2, b: 1, off: 1 })))
      expect((await under.store.deliveriesOf('a', 1)).map(({ id }) => id)).toEqual(['second'])
      expect(await write((tx) => tx.cancelDeliveries('a'))).toBe(2)
      expect(await under.store.delivery('first')).toMatchObject({ state: 'canceled', nextAt: null })
    })

    test('events after the creation of a webhook are collected once, those of its app', async () => {
      const app = await under.catalog.transact(async (tx) => {
        await tx.insertApp(newApp('player'))
        return await tx.insertApp(newApp('editor'))
      })
      await log(entry('release.published'))
      expect(await under.store.hasUncollected()).toBe(false)
      await write(async (tx) => {
        await tx.insertWebhook(newWebhook('all'))
        await tx.insertWebhook(newWebhook('editor', { appKey: app.key }))
      })
      expect(await under.store.hasUncollected()).toBe(false)
      await log(
        entry('release.published'),
        entry('release.published', 'player'),
        entry('policy.changed'),
      )
      expect(await under.other.hasUncollected()).toBe(true)
      expect(await collect(1)).toBe(1)
      expect(await collect()).toBe(2)
      expect(await collect()).toBe(0)
      expect(await under.store.hasUncollected()).toBe(false)
      expect(await under.store.pending()).toEqual(new Map(Object.entries({ all: 2, editor: 1 })))
      const [delivery] = await under.store.deliveriesOf('editor', 9)
      expect(delivery).toMatchObject({
        state: 'pending',
        createdAt: LATER,
        type: 'release.published',
      })
      expect(JSON.parse(delivery?.payload ?? '')).toMatchObject({
        timestamp: AT,
        data: { app: 'editor', version: '1.0.0', actor: { kind: 'person', name: 'mia' } },
      })
    })

    test('a webhook that is enabled again gets only what happens afterwards', async () => {
      const webhook = newWebhook('a', { failingSince: AT })
      await write(async (tx) => {
        await tx.insertWebhook(webhook)
        await tx.insertWebhook(newWebhook('b'))
        await tx.setWebhook({ ...webhook, disabled: { at: AT, by: 'failures' } })
      })
      await log(entry('release.published'))
      await write((tx) => tx.setWebhook({ ...webhook, name: 'again' }))
      expect((await under.store.webhooks())[0]).toEqual({
        ...{ ...webhook, name: 'again', failingSince: null },
      })
      await log(entry('release.published'))
      await collect()
      expect(await under.store.pending()).toEqual(new Map(Object.entries({ a: 1, b: 2 })))
    })

    test('what is too much for a webhook is counted', async () => {
      await write(async (tx) => {
        await tx.insertWebhook(newWebhook('a'))
        for (let index = 0; index < MAX_PENDING; index++) {
          await tx.insertDelivery(newDelivery(`${index}`, 'a'))
        }
      })
      await log(entry('release.published'), entry('release.published'))
      await collect()
      expect(await under.store.webhooks()).toMatchObject([{ dropped: 2 }])
      expect((await under.store.pending()).get('a')).toBe(MAX_PENDING)
    })

    test('mails go to those who can decide, to who asked, and to administrators', async () => {
      const app = await under.catalog.transact((tx) => tx.insertApp(newApp('editor')))
      const person = async (called: string, serverRole: Role | null, appRole?: Role) =>
        await under.people.transact(async (tx) => {
          const account = {
            id: called,
            name: called,
            nameKey: called,
            email: `${called}@x.example`,
            vouchedBy: null,
          }
          await tx.insertAccount({ ...account, serverRole, createdAt: AT, passwordHash: null })
          const appRoles = appRole === undefined ? [] : [{ appKey: app.key, role: appRole }]
          await tx.setAccess(called, { serverRole, appRoles })
        })
      await person('admin', 'administrator')
      await person('mia', 'release_manager')
      await person('manager', null, 'release_manager')
      await person('viewer', 'viewer', 'viewer')
      await person('gone', 'administrator')
      await under.people.transact((tx) => tx.setDisabled('gone', AT))
      await log(entry('change_request.proposed'))
      expect(await under.store.isMailing()).toBe(false)
      await write((tx) => tx.setMailing(true))
      expect(await under.other.isMailing()).toBe(true)
      const mailed = async (...[action, , after]: Parameters<typeof entry>) => {
        await log(entry(action, 'editor', after))
        await collect()
        const mails = await due()
        await write(async (tx) => {
          for (const { id, nextAt } of mails) {
            const settled = { id, seen: nextAt, state: 'delivered', nextAt: null } as const
            await tx.settle({ delivery: { ...settled, tries: 1, attempts: [], payload: '{}' } })
          }
        })
        return mails.map(({ to }) => (to.kind === 'mail' ? to.address : to.kind)).sort()
      }
      expect(await mailed('change_request.proposed')).toEqual([
        'admin@x.example',
        'manager@x.example',
      ])
      expect(await mailed('change_request.declined', 'editor', { proposedBy: 'mia' })).toEqual([
        'mia@x.example',
      ])
      expect(await mailed('artifact.failed')).toEqual(['admin@x.example'])
      expect(await mailed('release.published')).toEqual([])
      await write((tx) => tx.setMailing(false))
      expect(await mailed('artifact.failed')).toEqual([])
    })

    test('an attempt settles its delivery, unless that was queued again meanwhile', async () => {
      const attempts = [{ at: AT, milliseconds: 5, status: 200, failure: null, response: '' }]
      const outcome = {
        state: 'delivered',
        nextAt: null,
        tries: 1,
        attempts,
        payload: '{}',
      } as const
      await write(async (tx) => {
        await tx.insertWebhook(newWebhook('a'))
        await tx.insertDelivery(newDelivery('one', 'a'))
        await tx.insertDelivery(newDelivery('two', 'a'))
        await tx.requeue('two', LATER, LATER)
        const webhook = { id: 'a', failingSince: AT }
        await tx.settle({ delivery: { ...outcome, id: 'one', seen: AT }, webhook })
        await tx.settle({ delivery: { ...outcome, id: 'two', seen: AT } })
      })
      expect(await under.store.delivery('one')).toEqual(newDelivery('one', 'a', outcome))
      const again = newDelivery('two', 'a', { nextAt: LATER, attempts })
      expect(await under.store.delivery('two')).toEqual(again)
      expect(await under.store.webhooks()).toMatchObject([{ failingSince: AT }])
    })

    test('old and many finished deliveries are deleted, pending ones are not', async () => {
      const day = (index: number) => `2026-03-1${index}T00:00:00.000Z`
      await write(async (tx) => {
        await tx.insertWebhook(newWebhook('a'))
        await tx.insertDelivery(newDelivery('pending', 'a', { createdAt: day(0) }))
      })
      expect(await under.store.hasEnded()).toBe(false)
      await write(async (tx) => {
        for (let index = 0; index < 6; index++) {
          const done = { state: 'failed', nextAt: null, createdAt: day(index) } as const
          await tx.insertDelivery(newDelivery(`${index}`, 'a', done))
        }
        await tx.insertDelivery(newMail({ state: 'failed', nextAt: null, createdAt: day(5) }))
      })
      expect(await under.store.hasEnded()).toBe(true)
      expect(await write((tx) => tx.prune(day(2), day(2), 3))).toBe(3)
      const left = (await under.store.deliveriesOf('a', 99)).map(({ id }) => id)
      expect(left).toEqual(['5', '4', '3', 'pending'])
      expect(await under.store.delivery('mail')).toBeDefined()
    })

    test('alarms are kept, and a transaction writes all or nothing', async () => {
      expect(await under.store.alarms()).toEqual([])
      const issue = new Error('on purpose')
      const failing = write(async (tx) => {
        await tx.setAlarms(['backup_failed'])
        await tx.insertWebhook(newWebhook('a'))
        await tx.appendAudit(entry('webhook.created'))
        throw issue
      })
      await expect(failing).rejects.toBe(issue)
      expect(await under.store.webhooks()).toEqual([])
      expect(await under.catalog.lastAuditId()).toBe(0)
      await write((tx) => tx.setAlarms(['backup_failed']))
      expect(await under.other.alarms()).toEqual(['backup_failed'])
    })

    test('every change raises the revision, on every store', async () => {
      const before = under.store.revision()
      const otherBefore = under.other.revision()
      await write((tx) => tx.insertWebhook(newWebhook('a')))
      const after = under.store.revision()
      expect(after).toBeGreaterThan(before)
      await vi.waitFor(() => expect(under.other.revision()).toBeGreaterThan(otherBefore), PATIENTLY)
      await under.people.transact((tx) => tx.insertMail(newMail()))
      await vi.waitFor(() => expect(under.store.revision()).toBeGreaterThan(after), PATIENTLY)
      expect(await due()).toEqual([newMail()])
    })

    test('transactions of both stores run one after the other', async () => {
      await write((tx) => tx.insertWebhook(newWebhook('a')))
      const add = (store: OutboxStore) =>
        store.transact(async (tx) => {
          const [webhook] = await tx.webhooks()
          if (webhook !== undefined) {
            await tx.setWebhook({ ...webhook, revision: webhook.revision + 1 })
          }
        })
      await Promise.all(
        Array.from({ length: 10 }, () => [under.store, under.other])
          .flat()
          .map(add),
      )
      expect(await under.store.webhooks()).toMatchObject([{ revision: 21 }])
    })
  })
}
