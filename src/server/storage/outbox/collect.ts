import {
  deliveryOf,
  isFor,
  MAX_PENDING,
  type Recipients,
  recipientsOf,
  type Subscriber,
} from '../../outbox/collecting.ts'
import { eventOf } from '../../outbox/event.ts'
import type { DeliveryRecord } from '../../outbox/store.ts'
import { AuditReader } from '../catalog/audit-log.ts'
import type { Connection } from '../sqlite/database.ts'
import type { OutboxReader } from './outbox-reader.ts'

const SQL = {
  webhooks: `SELECT w.id, w.events, w.since, a.ref AS app, w.app_key IS NOT NULL AS isOfApp,
      (SELECT count(*) FROM deliveries d WHERE d.webhook_id = w.id AND d.state = 'pending') AS pending
    FROM webhooks w LEFT JOIN apps a ON a.key = w.app_key WHERE w.disabled_at IS NULL`,
  // Those who may decide on a change of the app, without the one who proposed it.
  deciders: `SELECT DISTINCT email FROM accounts a
    WHERE email IS NOT NULL AND disabled_at IS NULL AND name <> @name
      AND (server_role IN ('release_manager', 'administrator') OR EXISTS (
        SELECT 1 FROM account_app_roles r JOIN apps ON apps.key = r.app_key
        WHERE r.account_id = a.id AND apps.ref = @app
          AND r.role IN ('release_manager', 'administrator')))`,
  named: 'SELECT email FROM accounts WHERE email IS NOT NULL AND disabled_at IS NULL AND name = ?',
  administrators: `SELECT DISTINCT email FROM accounts WHERE email IS NOT NULL
    AND disabled_at IS NULL AND server_role = 'administrator'`,
  mails: "SELECT count(*) FROM deliveries WHERE webhook_id IS NULL AND state = 'pending'",
  drop: 'UPDATE webhooks SET dropped = dropped + ? WHERE id = ?',
  advance: 'UPDATE outbox_state SET audit_cursor = ?',
} as const

/**
 * Turns the next entries of the audit log into deliveries, inside a transaction that the caller has begun, at most
 * `limit` entries. `now`: Unix time in milliseconds. Returns how many entries were read.
 */
export function collectEvents(
  database: Connection,
  reader: OutboxReader,
  { limit, now }: { readonly limit: number; readonly now: number },
  insert: (delivery: DeliveryRecord) => void,
): number {
  const { cursor, last, mailSince } = reader.state()
  const through = Math.min(last, cursor + limit)
  if (through <= cursor) return 0
  const entries = new AuditReader(database)
    .entries({}, { above: cursor, through }, limit)
    .toReversed()
  const webhooks = database.prepare<[], Subscriber>(SQL.webhooks).all()
  const drop = database.prepare<[number, string]>(SQL.drop)
  let mails = database.prepare<[], number>(SQL.mails).pluck().get() ?? 0
  for (const entry of entries) {
    const event = eventOf(entry)
    if (event === null) continue
    for (const webhook of webhooks.filter((each) => isFor(each, event, entry))) {
      if (webhook.pending >= MAX_PENDING) {
        drop.run(1, webhook.id)
        continue
      }
      webhook.pending += 1
      insert(deliveryOf(event, now, { kind: 'webhook', webhookId: webhook.id }))
    }
    if (mailSince === null || entry.id <= mailSince) continue
    for (const address of addressesOf(database, recipientsOf(event, entry))) {
      mails += 1
      if (mails <= MAX_PENDING) insert(deliveryOf(event, now, { kind: 'mail', address }))
    }
  }
  database.prepare<[number]>(SQL.advance).run(through)
  return through - cursor
}

/** The addresses of those who are mailed. */
function addressesOf(database: Connection, recipients: Recipients): readonly string[] {
  const of = (sql: string, ...parameters: unknown[]) =>
    database
      .prepare<unknown[], string>(sql)
      .pluck()
      .all(...parameters)
  switch (recipients.kind) {
    case 'deciders':
      return of(SQL.deciders, { app: recipients.app, name: recipients.except })
    case 'named':
      return of(SQL.named, recipients.name)
    case 'administrators':
      return of(SQL.administrators)
    case 'nobody':
      return []
    default:
      return recipients satisfies never
  }
}
