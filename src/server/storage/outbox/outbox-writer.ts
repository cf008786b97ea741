import type { Alarm } from '../../../shared/webhook.ts'
import type { DeliveryRecord, Settlement, WebhookRecord } from '../../outbox/store.ts'
import { createAuditWriter } from '../catalog/audit-log.ts'
import { assigned, insertInto } from '../columns/columns.ts'
import {
  DELIVERY,
  deliveryParameters,
  WEBHOOK,
  webhookParameters,
} from '../columns/outbox-columns.ts'
import { StorageError } from '../interface/storage-error.ts'
import type { Connection } from '../sqlite/database.ts'
import { collectEvents } from './collect.ts'
import type { OutboxReader } from './outbox-reader.ts'

const { id: _, createdAt: __, failingSince: ___, dropped: ____, ...CHANGEABLE } = WEBHOOK

/** Set to the latest entry, those before are not sent. */
const LATEST = '(SELECT coalesce(max(id), 0) FROM audit)'

const SQL = {
  raiseRevision: 'UPDATE outbox_state SET revision = revision + 1',
  // With nobody who gets events, the cursor has stayed behind.
  skip: `UPDATE outbox_state SET audit_cursor = ${LATEST}
    WHERE mail_since IS NULL AND NOT EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NULL)`,
  insertWebhook: insertInto('webhooks', { ...WEBHOOK, since: 'since' }),
  setWebhook: `UPDATE webhooks SET ${assigned(CHANGEABLE)},
      failing_since = CASE WHEN disabled_at IS NULL THEN failing_since END,
      since = CASE WHEN disabled_at IS NULL THEN since ELSE ${LATEST} END
    WHERE id = @id`,
  removeWebhook: 'DELETE FROM webhooks WHERE id = ?',
  cancel: `UPDATE deliveries SET state = 'canceled', next_at = NULL
    WHERE webhook_id = ? AND state = 'pending'`,
  insertDelivery: insertInto('deliveries', DELIVERY),
  requeue: `UPDATE deliveries SET state = 'pending', next_at = @at, give_up_at = @giveUpAt, tries = 0
    WHERE id = @id`,
  // One that was canceled or queued again while it was tried stays so.
  settle: `UPDATE deliveries SET state = @state, next_at = @nextAt, tries = @tries,
      attempts = @attempts, payload = @payload
    WHERE id = @id AND state = 'pending' AND next_at IS @seen`,
  note: 'UPDATE deliveries SET attempts = @attempts WHERE id = @id',
  setFailing: 'UPDATE webhooks SET failing_since = @failingSince WHERE id = @id',
  pruneOld: "DELETE FROM deliveries WHERE state <> 'pending' AND created_at < ?",
  pruneMany: `DELETE FROM deliveries WHERE state <> 'pending' AND webhook_id = @webhookId AND created_at <= (
    SELECT created_at FROM deliveries WHERE webhook_id = @webhookId
    ORDER BY created_at DESC LIMIT 1 OFFSET @keep)`,
  mailOn: `UPDATE outbox_state SET mail_since = ${LATEST} WHERE mail_since IS NULL`,
  mailOff: 'UPDATE outbox_state SET mail_since = NULL',
  setAlarms: 'UPDATE outbox_state SET alarms = ?',
} as const

/** The writes of the outbox, synchronous, inside a transaction that the caller has begun. */
export class OutboxWriter {
  readonly #database: Connection
  readonly #reader: OutboxReader
  readonly appendAudit: ReturnType<typeof createAuditWriter>

  constructor(database: Connection, reader: OutboxReader) {
    this.#database = database
    this.#reader = reader
    this.appendAudit = createAuditWriter(database)
  }

  raiseRevision(): void {
    this.#run(SQL.raiseRevision)
  }

  insertWebhook(webhook: WebhookRecord): void {
    this.#run(SQL.skip)
    const since = this.#reader.state().last
    this.#run(SQL.insertWebhook, { ...webhookParameters(webhook), since })
  }

  setWebhook(webhook: WebhookRecord): void {
    this.#run(SQL.skip)
    this.#one(SQL.setWebhook, webhookParameters(webhook))
  }

  removeWebhook(id: string): void {
    this.#one(SQL.removeWebhook, id)
  }

  cancelDeliveries(webhookId: string): number {
    return this.#run(SQL.cancel, webhookId)
  }

  insertDelivery(delivery: DeliveryRecord): void {
    this.#run(SQL.insertDelivery, deliveryParameters(delivery))
  }

  requeue(id: string, at: string, giveUpAt: string): void {
    this.#one(SQL.requeue, { id, at, giveUpAt })
  }

  collect(limit: number, now: number): number {
    return collectEvents(this.#database, this.#reader, { limit, now }, (delivery) =>
      this.insertDelivery(delivery),
    )
  }

  settle({ delivery, webhook }: Settlement): void {
    const { attempts: latest, id, ...rest } = delivery
    const attempts = JSON.stringify(latest)
    const settled = this.#run(SQL.settle, { ...rest, id, attempts })
    if (settled === 0) this.#run(SQL.note, { id, attempts })
    if (webhook !== undefined) this.#run(SQL.setFailing, webhook)
  }

  prune(before: string, keep: number): number {
    let removed = this.#run(SQL.pruneOld, before)
    for (const { id: webhookId } of this.#reader.webhooks()) {
      removed += this.#run(SQL.pruneMany, { webhookId, keep })
    }
    return removed
  }

  setMailing(mailing: boolean): void {
    if (mailing) this.#run(SQL.skip)
    this.#run(mailing ? SQL.mailOn : SQL.mailOff)
  }

  setAlarms(alarms: readonly Alarm[]): void {
    this.#run(SQL.setAlarms, JSON.stringify(alarms))
  }

  #one(sql: string, parameters: object | string): void {
    if (this.#run(sql, parameters) === 1) return
    const detail = 'there is no such webhook or delivery'
    throw new StorageError({ code: 'rejected', file: this.#database.name, detail })
  }

  // Written now and then: not worth keeping each statement prepared.
  #run(sql: string, ...parameters: readonly unknown[]): number {
    return this.#database.prepare<unknown[]>(sql).run(...parameters).changes
  }
}
