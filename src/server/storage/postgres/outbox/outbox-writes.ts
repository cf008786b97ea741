import type { Alarm } from '../../../../shared/webhook.ts'
import type { DeliveryRecord, Settlement, WebhookRecord } from '../../../outbox/store.ts'
import { assigned, insertInto } from '../../columns/columns.ts'
import {
  DELIVERY,
  deliveryParameters,
  WEBHOOK,
  webhookParameters,
} from '../../columns/outbox-columns.ts'
import type { Queries } from '../connection/database.ts'
import { named } from '../connection/statements.ts'
import { change } from '../transactions/writes.ts'
import { allWebhooks, outboxState } from './outbox-reads.ts'

const { id: _, createdAt: __, failingSince: ___, dropped: ____, ...CHANGEABLE } = WEBHOOK

/** Set to the latest entry, those before are not sent. */
const LATEST = '(SELECT coalesce(max(id), 0) FROM audit)'

const SQL = {
  // With nobody who gets events, the cursor has stayed behind.
  skip: `UPDATE outbox_state SET audit_cursor = ${LATEST}
    WHERE mail_since IS NULL AND NOT EXISTS (SELECT FROM webhooks WHERE disabled_at IS NULL)`,
  insertWebhook: named(insertInto('webhooks', { ...WEBHOOK, since: 'since' })),
  setWebhook: named(`UPDATE webhooks SET ${assigned(CHANGEABLE)},
      failing_since = CASE WHEN disabled_at IS NULL THEN failing_since END,
      since = CASE WHEN disabled_at IS NULL THEN since ELSE ${LATEST} END
    WHERE id = @id`),
  removeWebhook: 'DELETE FROM webhooks WHERE id = $1',
  cancel: `UPDATE deliveries SET state = 'canceled', next_at = NULL
    WHERE webhook_id = $1 AND state = 'pending'`,
  insertDelivery: named(insertInto('deliveries', DELIVERY)),
  requeue: `UPDATE deliveries SET state = 'pending', next_at = $2, give_up_at = $3, tries = 0
    WHERE id = $1`,
  // One that was canceled or queued again while it was tried stays so.
  settle: named(`UPDATE deliveries SET state = @state, next_at = @nextAt, tries = @tries,
      attempts = @attempts, payload = @payload
    WHERE id = @id AND state = 'pending' AND next_at = @seen`),
  note: 'UPDATE deliveries SET attempts = $2 WHERE id = $1',
  setFailing: 'UPDATE webhooks SET failing_since = $2 WHERE id = $1',
  pruneOld: "DELETE FROM deliveries WHERE state <> 'pending' AND created_at < $1",
  pruneMany: `DELETE FROM deliveries
    WHERE state <> 'pending' AND webhook_id = $1 AND created_at <= (
      SELECT created_at FROM deliveries WHERE webhook_id = $1
      ORDER BY created_at DESC LIMIT 1 OFFSET $2)`,
  mailOn: `UPDATE outbox_state SET mail_since = ${LATEST} WHERE mail_since IS NULL`,
  mailOff: 'UPDATE outbox_state SET mail_since = NULL',
  setAlarms: 'UPDATE outbox_state SET alarms = $1',
} as const

const THING = 'such webhook or delivery'

/** Adds a webhook, which gets the events after this transaction. */
export async function insertWebhook(tx: Queries, webhook: WebhookRecord): Promise<void> {
  await tx.run(SQL.skip)
  const { last: since } = await outboxState(tx)
  await tx.run(SQL.insertWebhook, { ...webhookParameters(webhook), since })
}

/** Replaces what people set. One that is enabled again gets the events after this transaction. */
export async function setWebhook(tx: Queries, webhook: WebhookRecord): Promise<void> {
  await tx.run(SQL.skip)
  await change(tx, SQL.setWebhook, { ...webhookParameters(webhook) }, THING)
}

export async function removeWebhook(tx: Queries, id: string): Promise<void> {
  await change(tx, SQL.removeWebhook, [id], THING)
}

/** Returns how many were canceled. */
export async function cancelDeliveries(tx: Queries, webhookId: string): Promise<number> {
  return await tx.run(SQL.cancel, [webhookId])
}

export async function insertDelivery(tx: Queries, delivery: DeliveryRecord): Promise<void> {
  await tx.run(SQL.insertDelivery, { ...deliveryParameters(delivery) })
}

/** Makes a delivery pending again, to be tried at once. */
export async function requeue(
  tx: Queries,
  id: string,
  at: string,
  giveUpAt: string,
): Promise<void> {
  await change(tx, SQL.requeue, [id, at, giveUpAt], THING)
}

export async function settle(tx: Queries, { delivery, webhook }: Settlement): Promise<void> {
  const attempts = JSON.stringify(delivery.attempts)
  const settled = await tx.run(SQL.settle, { ...delivery, attempts })
  if (settled === 0) await tx.run(SQL.note, [delivery.id, attempts])
  if (webhook !== undefined) await tx.run(SQL.setFailing, [webhook.id, webhook.failingSince])
}

/** Deletes what was finished before that moment, and more than the latest `keep` of each webhook. Returns how many. */
export async function prune(tx: Queries, before: string, keep: number): Promise<number> {
  let removed = await tx.run(SQL.pruneOld, [before])
  for (const { id } of await allWebhooks(tx)) removed += await tx.run(SQL.pruneMany, [id, keep])
  return removed
}

export async function setMailing(tx: Queries, mailing: boolean): Promise<void> {
  if (mailing) await tx.run(SQL.skip)
  await tx.run(mailing ? SQL.mailOn : SQL.mailOff)
}

export async function setAlarms(tx: Queries, alarms: readonly Alarm[]): Promise<void> {
  await tx.run(SQL.setAlarms, [JSON.stringify(alarms)])
}
