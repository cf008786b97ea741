import { BUNDLE, DEFAULT_CHOICES, NOTICE_KIND_OF } from '../../../shared/events/notice.ts'
import type { NotificationChoices } from '../../../shared/events/notifications.ts'
import type { AuditRecord } from '../../catalog/audit-log.ts'
import {
  MAX_PENDING,
  newDelivery,
  PUSH_LIMITS,
  type Recipients,
  recipientsOf,
} from '../../outbound/outbox/collecting.ts'
import type { CollectedEvent } from '../../outbound/outbox/event.ts'
import { addToBundle } from '../../outbound/outbox/notices/bundle.ts'
import { type Route, routesOf } from '../../outbound/outbox/notices/route.ts'
import type { DeliveryRecord, DeliveryTarget } from '../../outbound/outbox/store.ts'
import type { Statements } from './statements.ts'

const PEOPLE = `SELECT a.id, a.email, c.choices FROM accounts a
    LEFT JOIN notification_choices c ON c.account_id = a.id WHERE a.disabled_at IS NULL`
const BY_NAME = 'ORDER BY a.name_key'

const SQL = {
  deciders: `${PEOPLE} AND a.name <> @except
      AND (a.server_role IN ('release_manager', 'administrator') OR EXISTS (
        SELECT 1 FROM account_app_roles r JOIN apps ON apps.key = r.app_key
        WHERE r.account_id = a.id AND apps.ref = @app
          AND r.role IN ('release_manager', 'administrator'))) ${BY_NAME}`,
  // Nobody gets these who has not chosen them.
  readers: `${PEOPLE} AND c.choices IS NOT NULL AND a.name <> @except
      AND (a.server_role IS NOT NULL OR EXISTS (
        SELECT 1 FROM account_app_roles r JOIN apps ON apps.key = r.app_key
        WHERE r.account_id = a.id AND apps.ref = @app)) ${BY_NAME}`,
  named: `${PEOPLE} AND a.name = @name`,
  administrators: `${PEOPLE} AND a.server_role = 'administrator' ${BY_NAME}`,
  mails: `SELECT count(*) AS waiting FROM deliveries
    WHERE webhook_id IS NULL AND push_id IS NULL AND state = 'pending'`,
  browsers: `SELECT s.id, s.account_id AS "accountId", s.since,
      (SELECT count(*) FROM deliveries d WHERE d.push_id = s.id AND d.state = 'pending') AS pending,
      (SELECT count(*) FROM deliveries d WHERE d.push_id = s.id AND d.created_at > @hourAgo) AS recent
    FROM push_subscriptions s ORDER BY s.created_at, s.id`,
  heldMail: `SELECT id, payload FROM deliveries WHERE account_id = @accountId AND mail_to = @to
    AND type = '${BUNDLE}' AND state = 'pending' AND tries = 0 AND next_at = @at AND next_at > @now`,
  heldPush: `SELECT id, payload FROM deliveries WHERE account_id = @accountId AND push_id = @to
    AND type = '${BUNDLE}' AND state = 'pending' AND tries = 0 AND next_at = @at AND next_at > @now`,
  refill: 'UPDATE deliveries SET payload = @payload WHERE id = @id',
  drop: 'UPDATE push_subscriptions SET dropped = dropped + 1 WHERE id = @id',
} as const

const HOUR = 3_600_000

interface Person {
  readonly id: string
  readonly email: string | null
  /** As JSON; null for one who has chosen nothing. */
  readonly choices: string | null
}

interface Browser {
  readonly id: string
  readonly accountId: string
  readonly since: number
  /** Notifications that wait for it, and all of the last hour. */
  pending: number
  recent: number
}

interface Collecting {
  /** The entry of the audit log after which events are mailed; null while none are. */
  readonly mailSince: number | null
  /** Unix time in milliseconds. */
  readonly now: number
}

/** What turns events into notices for people, by mail and push. */
export interface Notices {
  about(event: CollectedEvent, entry: AuditRecord): Promise<void>
}

/** Opens the notices of a transaction that collects events. */
export async function openNotices(
  tx: Statements,
  { mailSince, now }: Collecting,
  insert: (delivery: DeliveryRecord) => Promise<void>,
): Promise<Notices> {
  let mails = (await tx.row<{ waiting: number }>(SQL.mails))?.waiting ?? 0
  const hourAgo = new Date(now - HOUR).toISOString()
  const browsers = await tx.rows<Browser>(SQL.browsers, { hourAgo })
  let pushes = browsers.reduce((sum, { pending }) => sum + pending, 0)

  const queue = async (event: CollectedEvent, to: DeliveryTarget, { at: due, isHeld }: Route) => {
    const { type } = event
    if (!isHeld) return insert(newDelivery({ to, type, payload: JSON.stringify(event), now }))
    await insert(
      newDelivery({ to, type: BUNDLE, payload: addToBundle(undefined, event), now, due }),
    )
  }
  /** Adds an event to what is held for the same place until the same time; returns whether anything is. */
  const joinHeld = async (event: CollectedEvent, to: DeliveryTarget, { at, isHeld }: Route) => {
    if (!isHeld || to.kind === 'webhook') return false
    const place = to.kind === 'mail' ? to.address : to.subscriptionId
    const parameters = { accountId: to.accountId, to: place, at: iso(at), now: iso(now) }
    const sql = to.kind === 'mail' ? SQL.heldMail : SQL.heldPush
    const held = await tx.row<{ id: string; payload: string }>(sql, parameters)
    if (held === undefined) return false
    await tx.run(SQL.refill, { id: held.id, payload: addToBundle(held.payload, event) })
    return true
  }
  const mail = async (event: CollectedEvent, to: DeliveryTarget, route: Route) => {
    if (await joinHeld(event, to, route)) return
    mails += 1
    if (mails <= MAX_PENDING) await queue(event, to, route)
  }
  const push = async (event: CollectedEvent, browser: Browser, route: Route) => {
    const { id: subscriptionId, accountId } = browser
    const to = { kind: 'push', subscriptionId, accountId } as const
    if (await joinHeld(event, to, route)) return
    const { pending, pendingOfAll, hourly } = PUSH_LIMITS
    if (browser.pending >= pending || browser.recent >= hourly || pushes >= pendingOfAll) {
      await tx.run(SQL.drop, { id: subscriptionId })
      return
    }
    browser.pending += 1
    browser.recent += 1
    pushes += 1
    await queue(event, to, route)
  }

  return {
    async about(event, entry) {
      const kind = NOTICE_KIND_OF[event.type]
      const isMailed = mailSince !== null && entry.id > mailSince
      const reached = browsers.filter(({ since }) => since < entry.id)
      if (kind === null || !(isMailed || reached.length > 0)) return
      const mailed = new Set<string>()
      for (const { id, email, choices } of await peopleOf(tx, recipientsOf(event, entry))) {
        const routes = routesOf(choicesIn(choices), { kind, app: entry.app, now })
        if (isMailed && email !== null && routes.mail !== null && !mailed.has(email)) {
          mailed.add(email)
          await mail(event, { kind: 'mail', address: email, accountId: id }, routes.mail)
        }
        if (routes.push === null) continue
        for (const browser of reached) {
          if (browser.accountId === id) await push(event, browser, routes.push)
        }
      }
    },
  }
}

async function peopleOf(tx: Statements, recipients: Recipients): Promise<readonly Person[]> {
  switch (recipients.kind) {
    case 'deciders':
    case 'readers':
    case 'named':
      return await tx.rows<Person>(SQL[recipients.kind], recipients)
    case 'administrators':
      return await tx.rows<Person>(SQL.administrators)
    case 'nobody':
      return []
    default:
      return recipients satisfies never
  }
}

function choicesIn(stored: string | null): NotificationChoices {
  return stored === null ? DEFAULT_CHOICES : JSON.parse(stored)
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
