import type {
  DeliveryRecord,
  OutboxReads,
  OutboxWrites,
  PushSubscriptionRecord,
  Recipient,
} from '../../outbound/outbox/store.ts'
import { insertInto } from './columns/columns.ts'
import { SUBSCRIPTION } from './columns/outbox-columns.ts'
import type { Questions, Statements } from './statements.ts'
import { change } from './writes.ts'

const SELECT = {
  choices: 'SELECT choices FROM notification_choices WHERE account_id = @accountId',
  subscription: `SELECT ${SUBSCRIPTION.selected()} FROM push_subscriptions WHERE id = @id`,
  subscriptions: `SELECT ${SUBSCRIPTION.selected()} FROM push_subscriptions
    WHERE account_id = @accountId ORDER BY created_at, id`,
  count: 'SELECT count(*) AS subscriptions FROM push_subscriptions',
  key: 'SELECT push_key AS key FROM outbox_state',
  recipient: `SELECT server_role AS "serverRole" FROM accounts
    WHERE id = @accountId AND disabled_at IS NULL`,
  apps: `SELECT ref FROM account_app_roles JOIN apps ON key = app_key
    WHERE account_id = @accountId ORDER BY ref`,
} as const

const SQL = {
  setChoices: `INSERT INTO notification_choices (account_id, choices) VALUES (@accountId, @choices)
    ON CONFLICT (account_id) DO UPDATE SET choices = excluded.choices`,
  setKey: 'UPDATE outbox_state SET push_key = @key',
  removeEndpoint: 'DELETE FROM push_subscriptions WHERE endpoint = @endpoint',
  insert: insertInto('push_subscriptions', { ...SUBSCRIPTION.columns, since: 'since' }),
  setSession: 'UPDATE push_subscriptions SET session_id = @sessionId WHERE id = @id',
  remove: 'DELETE FROM push_subscriptions WHERE id = @id',
} as const

/** The questions about how people are notified. */
export function subscriptionReads(
  questions: Questions,
): Pick<OutboxReads, 'choicesOf' | 'subscriptionsOf' | 'pushKey'> {
  return {
    async choicesOf(accountId) {
      const row = await questions.row<{ choices: string }>(SELECT.choices, { accountId })
      return row === undefined ? null : JSON.parse(row.choices)
    },
    subscriptionsOf: (accountId) =>
      questions.rows<PushSubscriptionRecord>(SELECT.subscriptions, { accountId }),
    async pushKey() {
      return (await questions.row<{ key: string | null }>(SELECT.key))?.key ?? null
    },
  }
}

/** How people are notified, in a transaction. `lastEntry`: the latest of the audit log. */
export function subscriptionWrites(
  tx: Statements,
  lastEntry: () => Promise<number>,
): Pick<
  OutboxWrites,
  | 'setChoices'
  | 'setPushKey'
  | 'insertSubscription'
  | 'setSubscriptionSession'
  | 'removeSubscription'
  | 'countSubscriptions'
> {
  return {
    async setChoices(accountId, choices) {
      await tx.run(SQL.setChoices, { accountId, choices: JSON.stringify(choices) })
    },
    async setPushKey(key) {
      await tx.run(SQL.setKey, { key })
    },
    async insertSubscription(subscription) {
      await tx.run(SQL.removeEndpoint, subscription)
      await tx.run(SQL.insert, { ...subscription, since: await lastEntry() })
    },
    setSubscriptionSession: (id, sessionId) =>
      change(tx, SQL.setSession, { id, sessionId }, 'such browser'),
    async removeSubscription(id) {
      await tx.run(SQL.remove, { id })
    },
    async countSubscriptions() {
      return (await tx.row<{ subscriptions: number }>(SELECT.count))?.subscriptions ?? 0
    },
  }
}

/** The browsers and the people that deliveries go to: see `DueDeliveries`. */
export async function receiversOf(questions: Questions, deliveries: readonly DeliveryRecord[]) {
  const subscriptions: PushSubscriptionRecord[] = []
  const recipients = new Map<string, Recipient>()
  for (const { to } of deliveries) {
    if (to.kind === 'push') {
      const parameters = { id: to.subscriptionId }
      const row = await questions.row<PushSubscriptionRecord>(SELECT.subscription, parameters)
      if (row !== undefined) subscriptions.push(row)
    }
    if (to.kind === 'webhook' || to.accountId === undefined) continue
    const { accountId } = to
    const parameters = { accountId }
    const person = await questions.row<Pick<Recipient, 'serverRole'>>(SELECT.recipient, parameters)
    if (person === undefined) continue
    const apps = await questions.rows<{ ref: string }>(SELECT.apps, parameters)
    recipients.set(accountId, { ...person, apps: apps.map(({ ref }) => ref) })
  }
  return { subscriptions, recipients }
}
