import {
  isFor,
  MAX_PENDING,
  newDelivery,
  type Subscriber,
} from '../../outbound/outbox/collecting.ts'
import { eventOf } from '../../outbound/outbox/event.ts'
import type { DeliveryRecord } from '../../outbound/outbox/store.ts'
import { auditIn } from './audit-log.ts'
import { openNotices } from './notices.ts'
import type { Statements } from './statements.ts'

const SQL = {
  webhooks: `SELECT w.id, w.events, w.since, a.ref AS app, CASE WHEN w.app_key IS NULL THEN 0 ELSE 1 END AS "isOfApp",
      (SELECT count(*) FROM deliveries d WHERE d.webhook_id = w.id AND d.state = 'pending') AS pending
    FROM webhooks w LEFT JOIN apps a ON a.key = w.app_key WHERE w.disabled_at IS NULL`,
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
  const notices = await openNotices(tx, { mailSince, now }, insert)
  for (const entry of entries) {
    const event = eventOf(entry)
    if (event === null) continue
    for (const webhook of webhooks.filter((each) => isFor(each, event, entry))) {
      if (webhook.pending >= MAX_PENDING) {
        await tx.run(SQL.drop, { id: webhook.id })
        continue
      }
      webhook.pending += 1
      const to = { kind: 'webhook', webhookId: webhook.id } as const
      await insert(newDelivery({ to, type: event.type, payload: JSON.stringify(event), now }))
    }
    await notices.about(event, entry)
  }
  await tx.run(SQL.advance, { through })
  return through - cursor
}
