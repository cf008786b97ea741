import type { Alarm } from '../../../shared/webhook.ts'
import type { DeliveryRecord, DueDeliveries, WebhookRecord } from '../../outbox/store.ts'
import { selected } from '../columns/columns.ts'
import {
  DELIVERY,
  type DeliveryRow,
  toDelivery,
  toWebhook,
  WEBHOOK,
  type WebhookRow,
} from '../columns/outbox-columns.ts'
import type { Connection } from '../sqlite/database.ts'

const DELIVERIES = `SELECT ${selected(DELIVERY)} FROM deliveries`

const SQL = {
  webhooks: `SELECT ${selected(WEBHOOK)} FROM webhooks ORDER BY created_at, id`,
  delivery: `${DELIVERIES} WHERE id = ?`,
  dueOf: `${DELIVERIES} WHERE webhook_id IS @webhookId AND state = 'pending' AND next_at <= @at
    ORDER BY next_at, created_at, id LIMIT @limit`,
  deliveriesOf: `${DELIVERIES} WHERE webhook_id = ? ORDER BY created_at DESC, id DESC LIMIT ?`,
  pending: `SELECT webhook_id, count(*) FROM deliveries
    WHERE webhook_id IS NOT NULL AND state = 'pending' GROUP BY webhook_id`,
  state: `SELECT audit_cursor AS cursor, mail_since AS mailSince, alarms, revision,
      (SELECT coalesce(max(id), 0) FROM audit) AS last,
      EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NULL) AS hasWebhooks
    FROM outbox_state`,
} as const

export interface OutboxState {
  readonly cursor: number
  readonly mailSince: number | null
  readonly alarms: string
  readonly revision: number
  /** The latest entry of the audit log. */
  readonly last: number
  readonly hasWebhooks: 0 | 1
}

/** Queries of the outbox on one connection, synchronous. */
export class OutboxReader {
  readonly webhooks: () => WebhookRecord[]
  readonly delivery: (id: string) => DeliveryRecord | undefined
  readonly due: (at: string, mails: number) => DueDeliveries
  readonly deliveriesOf: (webhookId: string, limit: number) => DeliveryRecord[]
  readonly pending: () => Map<string, number>
  readonly state: () => OutboxState

  constructor(database: Connection) {
    const webhooks = database.prepare<[], WebhookRow>(SQL.webhooks)
    const delivery = database.prepare<[string], DeliveryRow>(SQL.delivery)
    const dueOf = database.prepare<
      [{ webhookId: string | null; at: string; limit: number }],
      DeliveryRow
    >(SQL.dueOf)
    const deliveriesOf = database.prepare<[string, number], DeliveryRow>(SQL.deliveriesOf)
    const pending = database.prepare<[], [string, number]>(SQL.pending).raw()
    const state = database.prepare<[], OutboxState>(SQL.state)
    this.webhooks = () => webhooks.all().map(toWebhook)
    this.delivery = (id) => {
      const row = delivery.get(id)
      return row && toDelivery(row)
    }
    // One of each: a webhook gets its events one after the other, and none waits for another webhook.
    this.due = database.transaction((at: string, mails: number) => {
      const enabled = this.webhooks().filter(({ disabled }) => disabled === null)
      const first = enabled.flatMap(({ id }) => dueOf.all({ webhookId: id, at, limit: 1 }))
      const rows = [...first, ...dueOf.all({ webhookId: null, at, limit: mails })]
      return { webhooks: enabled, deliveries: rows.map(toDelivery) }
    })
    this.deliveriesOf = (webhookId, limit) => deliveriesOf.all(webhookId, limit).map(toDelivery)
    this.pending = () => new Map(pending.all())
    this.state = () => {
      const read = state.get()
      if (read === undefined) throw new Error('the outbox has no state')
      return read
    }
  }

  alarms(): Alarm[] {
    return JSON.parse(this.state().alarms)
  }
}
