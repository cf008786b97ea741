import {
  deliveryOf,
  isFor,
  MAX_PENDING,
  type Recipients,
  recipientsOf,
  type Subscriber,
} from '../../outbound/outbox/collecting.ts'
import { eventOf } from '../../outbound/outbox/event.ts'
import type { DeliveryRecord } from '../../outbound/outbox/store.ts'
import { auditIn } from './audit-log.ts'
import type { Statements } from './statements.ts'

const SQL = {
  webhooks: `SELECT w.id, w.events, w.since, a.ref AS app, CASE WHEN w.app_key IS NULL THEN 0 ELSE 1 END AS "isOfApp",
      (SELECT count(*) FROM deliveries d WHERE d.webhook_id = w.id AND d.state = 'pending') AS pending
    FROM webhooks w LEFT JOIN apps a ON a.key = w.app_key WHERE w.disabled_at IS NULL`,
  // Those who may decide on a change of the app, without the one who proposed it.
  deciders: `SELECT DISTINCT email FROM accounts a
    WHERE email IS NOT NULL AND disabled_at IS NULL AND name <> @except
      AND (server_role IN ('release_manager', 'administrator') OR EXISTS (
        SELECT 1 FROM account_app_roles r JOIN apps ON apps.key = r.app_key
        WHERE r.account_id = a.id AND apps.ref = @app
          AND r.role IN ('release_manager', 'administrator')))`,
  named:
    'SELECT email FROM accounts WHERE email IS NOT NULL AND disabled_at IS NULL AND name = @name',
  administrators: `SELECT DISTINCT email FROM accounts WHERE email IS NOT NULL
    AND disabled_at IS NULL AND server_role = 'administrator'`,
  mails: `SELECT count(*) AS waiting FROM deliveries
    WHERE webhook_id IS NULL AND state = 'pending'`,
  drop: 'UPDATE webhooks SET dropped = dropped + 1 WHERE id = @id',
  advance: 'UPDATE outbox_state SET audit_cursor = @through',
} as const

/** How far the audit log was read, its latest entry, and the one after which events are mailed. */
interface Progress {
  readonly cursor: number
  readonly last: number
  readonly mailSince: number | null
}

/**
 * Turns the next entries of the audit log into deliveries, at most `limit` entries, in a transaction that holds the lock of
 * the catalog: no entry with a lower id can follow. `now`: Unix time in milliseconds. Returns how many ids were passed.
 */
export async function collectEvents(
  tx: Statements,
  { cursor, last, mailSince }: Progress,
  { limit, now }: { readonly limit: number; readonly now: number },
  insert: (delivery: DeliveryRecord) => Promise<void>,
): Promise<number> {
  const through = Math.min(last, cursor + limit)
  if (through <= cursor) return 0
  const entries = (await auditIn(tx, {}, { above: cursor, through }, limit)).toReversed()
  const webhooks = await tx.rows<Subscriber>(SQL.webhooks)
  let mails = (await tx.row<{ waiting: number }>(SQL.mails))?.waiting ?? 0
  for (const entry of entries) {
    const event = eventOf(entry)
    if (event === null) continue
    for (const webhook of webhooks.filter((each) => isFor(each, event, entry))) {
      if (webhook.pending >= MAX_PENDING) {
        await tx.run(SQL.drop, { id: webhook.id })
        continue
      }
      webhook.pending += 1
      await insert(deliveryOf(event, now, { kind: 'webhook', webhookId: webhook.id }))
    }
    if (mailSince === null || entry.id <= mailSince) continue
    for (const address of await addressesOf(tx, recipientsOf(event, entry))) {
      mails += 1
      if (mails > MAX_PENDING) continue
      await insert(deliveryOf(event, now, { kind: 'mail', address }))
    }
  }
  await tx.run(SQL.advance, { through })
  return through - cursor
}

/** The addresses of those who are mailed. */
async function addressesOf(tx: Statements, recipients: Recipients): Promise<readonly string[]> {
  const of = async (sql: string, parameters: object = {}) =>
    (await tx.rows<{ email: string }>(sql, parameters)).map(({ email }) => email)
  switch (recipients.kind) {
    case 'deciders':
      return await of(SQL.deciders, recipients)
    case 'named':
      return await of(SQL.named, recipients)
    case 'administrators':
      return await of(SQL.administrators)
    case 'nobody':
      return []
    default:
      return recipients satisfies never
  }
}
