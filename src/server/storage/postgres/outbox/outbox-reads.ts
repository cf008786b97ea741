import type { Alarm } from '../../../../shared/webhook.ts'
import type { DeliveryRecord, DueDeliveries, WebhookRecord } from '../../../outbox/store.ts'
import { selected } from '../../columns/columns.ts'
import {
  DELIVERY,
  type DeliveryRow,
  toDelivery,
  toWebhook,
  WEBHOOK,
  type WebhookRow,
} from '../../columns/outbox-columns.ts'
import type { Queries } from '../connection/database.ts'

const DELIVERIES = `SELECT ${selected(DELIVERY)} FROM deliveries`
const DUE = "state = 'pending' AND next_at <= $1 ORDER BY next_at, created_at, id"

const SQL = {
  webhooks: `SELECT ${selected(WEBHOOK)} FROM webhooks ORDER BY created_at, id`,
  delivery: `${DELIVERIES} WHERE id = $1`,
  // One of each: a webhook gets its events one after the other, and none waits for another webhook.
  dueOfWebhooks: `SELECT ${selected(DELIVERY, 'first')} FROM webhooks w
    CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE webhook_id = w.id AND ${DUE} LIMIT 1) first
    WHERE w.disabled_at IS NULL ORDER BY w.created_at, w.id`,
  dueMails: `${DELIVERIES} WHERE webhook_id IS NULL AND ${DUE} LIMIT $2`,
  deliveriesOf: `${DELIVERIES} WHERE webhook_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
  pending: `SELECT webhook_id AS "webhookId", count(*) AS waiting FROM deliveries
    WHERE webhook_id IS NOT NULL AND state = 'pending' GROUP BY webhook_id`,
  state: `SELECT audit_cursor AS cursor, mail_since AS "mailSince", alarms,
      (SELECT coalesce(max(id), 0) FROM audit) AS last,
      EXISTS (SELECT FROM webhooks WHERE disabled_at IS NULL) AS "hasWebhooks"
    FROM outbox_state`,
} as const

export interface OutboxState {
  readonly cursor: number
  readonly mailSince: number | null
  /** As JSON. */
  readonly alarms: string
  /** The latest entry of the audit log. */
  readonly last: number
  readonly hasWebhooks: boolean
}

export async function allWebhooks(queries: Queries): Promise<WebhookRecord[]> {
  return (await queries.rows<WebhookRow>(SQL.webhooks)).map(toWebhook)
}

export async function deliveryById(
  queries: Queries,
  id: string,
): Promise<DeliveryRecord | undefined> {
  const row = await queries.row<DeliveryRow>(SQL.delivery, [id])
  return row && toDelivery(row)
}

/** What is due at a moment, of one snapshot if `queries` has one. `mails`: most of them. */
export async function dueDeliveries(
  queries: Queries,
  at: string,
  mails: number,
): Promise<DueDeliveries> {
  const webhooks = await allWebhooks(queries)
  const first = await queries.rows<DeliveryRow>(SQL.dueOfWebhooks, [at])
  const rows = [...first, ...(await queries.rows<DeliveryRow>(SQL.dueMails, [at, mails]))]
  return {
    webhooks: webhooks.filter(({ disabled }) => disabled === null),
    deliveries: rows.map(toDelivery),
  }
}

/** The latest deliveries of a webhook, newest first. */
export async function deliveriesOf(
  queries: Queries,
  webhookId: string,
  limit: number,
): Promise<DeliveryRecord[]> {
  return (await queries.rows<DeliveryRow>(SQL.deliveriesOf, [webhookId, limit])).map(toDelivery)
}

/** How many deliveries wait, by webhook. */
export async function pendingDeliveries(queries: Queries): Promise<Map<string, number>> {
  const rows = await queries.rows<{ webhookId: string; waiting: number }>(SQL.pending)
  return new Map(rows.map(({ webhookId, waiting }) => [webhookId, waiting]))
}

export async function outboxState(queries: Queries): Promise<OutboxState> {
  const state = await queries.row<OutboxState>(SQL.state)
  if (state === undefined) throw new Error('the outbox has no state')
  return state
}

export async function raisedAlarms(queries: Queries): Promise<Alarm[]> {
  return JSON.parse((await outboxState(queries)).alarms)
}
