import type { Alarm } from '../../../shared/events/webhook.ts'
import type {
  DeliveryRecord,
  OutboxStore,
  OutboxWrites,
  WebhookRecord,
} from '../../outbound/outbox/store.ts'
import { appendAudit } from './audit-log.ts'
import { collectEvents } from './collect.ts'
import { insertInto } from './columns/columns.ts'
import {
  DELIVERY,
  type DeliveryRow,
  deliveryRow,
  toDelivery,
  toWebhook,
  WEBHOOK,
  type WebhookRow,
  webhookRow,
} from './columns/outbox-columns.ts'
import type { Questions, Statements } from './statements.ts'
import { receiversOf, subscriptionReads, subscriptionWrites } from './subscriptions.ts'
import { change } from './writes.ts'

const DELIVERIES = `SELECT ${DELIVERY.selected()} FROM deliveries`
const DUE = `state = 'pending' AND next_at <= @at ORDER BY next_at, created_at, id`

/** Set to the latest entry, those before are not sent. */
const LATEST = '(SELECT coalesce(max(id), 0) FROM audit)'

const SELECT = {
  webhooks: `SELECT ${WEBHOOK.selected()} FROM webhooks ORDER BY created_at, id`,
  delivery: `${DELIVERIES} WHERE id = @id`,
  // One of each: a webhook gets its events one after the other, and none waits for another webhook.
  dueOfWebhooks: `SELECT ${DELIVERY.selected('d')} FROM webhooks w
    JOIN deliveries d ON d.id = (SELECT id FROM deliveries WHERE webhook_id = w.id AND ${DUE} LIMIT 1)
    WHERE w.disabled_at IS NULL ORDER BY w.created_at, w.id`,
  dueMails: `${DELIVERIES} WHERE webhook_id IS NULL AND push_id IS NULL AND ${DUE} LIMIT @mails`,
  // One of each, as of webhooks.
  duePushes: `SELECT ${DELIVERY.selected('d')} FROM push_subscriptions s
    JOIN deliveries d ON d.id = (SELECT id FROM deliveries WHERE push_id = s.id AND ${DUE} LIMIT 1)
    ORDER BY d.next_at, d.id LIMIT @pushes`,
  deliveriesOf: `${DELIVERIES} WHERE webhook_id = @webhookId
    ORDER BY created_at DESC, id DESC LIMIT @limit`,
  pending: `SELECT webhook_id AS "webhookId", count(*) AS waiting FROM deliveries
    WHERE webhook_id IS NOT NULL AND state = 'pending' GROUP BY webhook_id`,
  ended: "SELECT id FROM deliveries WHERE state <> 'pending' LIMIT 1",
  state: `SELECT audit_cursor AS cursor, mail_since AS "mailSince", alarms, ${LATEST} AS last,
      (SELECT count(*) FROM webhooks WHERE disabled_at IS NULL)
        + (SELECT count(*) FROM push_subscriptions) AS enabled
    FROM outbox_state`,
} as const

const SQL = {
  // With nobody who gets events, the cursor has stayed behind.
  skip: `UPDATE outbox_state SET audit_cursor = ${LATEST}
    WHERE mail_since IS NULL AND NOT EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM push_subscriptions)`,
  insertWebhook: insertInto('webhooks', { ...WEBHOOK.columns, since: 'since' }),
  setWebhook: `UPDATE webhooks SET ${WEBHOOK.assigned('id', 'createdAt', 'failingSince', 'dropped')},
      failing_since = CASE WHEN disabled_at IS NULL THEN failing_since END,
      since = CASE WHEN disabled_at IS NULL THEN since ELSE ${LATEST} END
    WHERE id = @id`,
  removeWebhook: 'DELETE FROM webhooks WHERE id = @id',
  cancel: `UPDATE deliveries SET state = 'canceled', next_at = NULL
    WHERE webhook_id = @webhookId AND state = 'pending'`,
  insertDelivery: DELIVERY.insertInto('deliveries'),
  requeue: `UPDATE deliveries SET state = 'pending', next_at = @at, give_up_at = @giveUpAt, tries = 0
    WHERE id = @id`,
  // One that was canceled or queued again while it was tried stays so.
  settle: `UPDATE deliveries SET state = @state, next_at = @nextAt, tries = @tries,
      attempts = @attempts, payload = @payload
    WHERE id = @id AND state = 'pending' AND next_at = @seen`,
  note: 'UPDATE deliveries SET attempts = @attempts WHERE id = @id',
  setFailing: 'UPDATE webhooks SET failing_since = @failingSince WHERE id = @id',
  setUnreached: 'UPDATE push_subscriptions SET failing_since = @failingSince WHERE id = @id',
  pruneOld: "DELETE FROM deliveries WHERE state <> 'pending' AND created_at < @before",
  prunePushes: `DELETE FROM deliveries
    WHERE state <> 'pending' AND push_id IS NOT NULL AND created_at < @pushBefore`,
  pruneMany: `DELETE FROM deliveries
    WHERE state <> 'pending' AND webhook_id = @id AND created_at <= (
      SELECT created_at FROM deliveries WHERE webhook_id = @id
      ORDER BY created_at DESC LIMIT 1 OFFSET @keep)`,
  mailOn: `UPDATE outbox_state SET mail_since = ${LATEST} WHERE mail_since IS NULL`,
  mailOff: 'UPDATE outbox_state SET mail_since = NULL',
  setAlarms: 'UPDATE outbox_state SET alarms = @alarms',
} as const

const THING = 'such webhook or delivery'

interface OutboxState {
  readonly cursor: number
  readonly mailSince: number | null
  /** As JSON. */
  readonly alarms: string
  /** The latest entry of the audit log. */
  readonly last: number
  /** How many webhooks are enabled, and browsers get push notifications. */
  readonly enabled: number
}

/** The questions to the outbox. */
export function outboxReads(questions: Questions): Omit<OutboxStore, 'transact' | 'revision'> {
  const webhooks = () => allWebhooks(questions)
  const state = () => outboxState(questions)
  return {
    ...subscriptionReads(questions),
    webhooks,
    async delivery(id) {
      const row = await questions.row<DeliveryRow>(SELECT.delivery, { id })
      return row && toDelivery(row)
    },
    async alarms(): Promise<Alarm[]> {
      return JSON.parse((await state()).alarms)
    },
    async hasUncollected() {
      const { cursor, last, enabled, mailSince } = await state()
      return last > cursor && (enabled > 0 || mailSince !== null)
    },
    async hasEnded() {
      return (await questions.row(SELECT.ended)) !== undefined
    },
    async isMailing() {
      return (await state()).mailSince !== null
    },
    due: (at, { mails, pushes }) =>
      questions.atOnce(async (now) => {
        const known = await allWebhooks(now)
        const rows = [
          ...(await now.rows<DeliveryRow>(SELECT.dueOfWebhooks, { at })),
          ...(await now.rows<DeliveryRow>(SELECT.dueMails, { at, mails })),
          ...(await now.rows<DeliveryRow>(SELECT.duePushes, { at, pushes })),
        ]
        const deliveries = rows.map(toDelivery)
        return {
          webhooks: known.filter(({ disabled }) => disabled === null),
          deliveries,
          ...(await receiversOf(now, deliveries)),
        }
      }),
    async deliveriesOf(webhookId, limit) {
      const rows = await questions.rows<DeliveryRow>(SELECT.deliveriesOf, { webhookId, limit })
      return rows.map(toDelivery)
    },
    async pending() {
      const rows = await questions.rows<{ webhookId: string; waiting: number }>(SELECT.pending)
      return new Map(rows.map(({ webhookId, waiting }) => [webhookId, waiting]))
    },
  }
}

/** The outbox of a transaction. */
export function outboxWrites(tx: Statements): OutboxWrites {
  const { webhooks, delivery, alarms } = outboxReads(tx)
  const lastEntry = async () => {
    await tx.run(SQL.skip)
    return (await outboxState(tx)).last
  }
  const insertDelivery = async (row: DeliveryRecord) => {
    await tx.run(SQL.insertDelivery, deliveryRow(row))
  }
  return {
    webhooks,
    delivery,
    alarms,
    insertDelivery,
    ...subscriptionReads(tx),
    ...subscriptionWrites(tx, lastEntry),
    async insertWebhook(webhook) {
      await tx.run(SQL.insertWebhook, { ...webhookRow(webhook), since: await lastEntry() })
    },
    async setWebhook(webhook) {
      await tx.run(SQL.skip)
      await change(tx, SQL.setWebhook, webhookRow(webhook), THING)
    },
    removeWebhook: (id) => change(tx, SQL.removeWebhook, { id }, THING),
    cancelDeliveries: (webhookId) => tx.run(SQL.cancel, { webhookId }),
    requeue: (id, at, giveUpAt) => change(tx, SQL.requeue, { id, at, giveUpAt }, THING),
    async collect(limit, now) {
      return await collectEvents(tx, await outboxState(tx), { limit, now }, insertDelivery)
    },
    async settle({ delivery: { attempts: latest, ...settled }, webhook, push }) {
      const attempts = JSON.stringify(latest)
      const isSettled = (await tx.run(SQL.settle, { ...settled, attempts })) > 0
      if (!isSettled) await tx.run(SQL.note, { id: settled.id, attempts })
      if (webhook !== undefined) await tx.run(SQL.setFailing, webhook)
      if (push !== undefined) await tx.run(SQL.setUnreached, push)
    },
    async prune(before, pushBefore, keep) {
      let removed = await tx.run(SQL.pruneOld, { before })
      removed += await tx.run(SQL.prunePushes, { pushBefore })
      for (const { id } of await webhooks()) removed += await tx.run(SQL.pruneMany, { id, keep })
      return removed
    },
    async setMailing(mailing) {
      if (mailing) await tx.run(SQL.skip)
      await tx.run(mailing ? SQL.mailOn : SQL.mailOff)
    },
    async setAlarms(raised) {
      await tx.run(SQL.setAlarms, { alarms: JSON.stringify(raised) })
    },
    appendAudit: (entry) => appendAudit(tx, entry),
  }
}

async function allWebhooks(questions: Questions): Promise<WebhookRecord[]> {
  return (await questions.rows<WebhookRow>(SELECT.webhooks)).map(toWebhook)
}

async function outboxState(questions: Questions): Promise<OutboxState> {
  const state = await questions.row<OutboxState>(SELECT.state)
  if (state === undefined) throw new Error('the outbox has no state')
  return state
}
