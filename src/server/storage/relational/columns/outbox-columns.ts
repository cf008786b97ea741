import type {
  DeliveryRecord,
  DeliveryTarget,
  PushSubscriptionRecord,
  WebhookRecord,
} from '../../../outbound/outbox/store.ts'
import { Columns, type RowOf } from './columns.ts'

type Previous = NonNullable<WebhookRecord['previous']>
type Disabled = NonNullable<WebhookRecord['disabled']>

/** A webhook as its table holds it: what can be absent, in two columns each. */
type StoredWebhook = Omit<WebhookRecord, 'previous' | 'disabled'> & {
  readonly previousSecret: Previous['secret'] | null
  readonly previousUntil: Previous['until'] | null
  readonly disabledAt: Disabled['at'] | null
  readonly disabledBy: Disabled['by'] | null
}

export type WebhookRow = RowOf<StoredWebhook>

export const WEBHOOK = new Columns<StoredWebhook>({
  id: 'plain',
  name: 'plain',
  url: 'plain',
  format: 'plain',
  events: 'json',
  appKey: 'plain',
  secret: 'plain',
  previousSecret: 'plain',
  previousUntil: 'plain',
  createdAt: 'plain',
  disabledAt: 'plain',
  disabledBy: 'plain',
  failingSince: 'plain',
  dropped: 'plain',
  revision: 'plain',
})

export const SUBSCRIPTION = new Columns<PushSubscriptionRecord>({
  id: 'plain',
  accountId: 'plain',
  sessionId: 'plain',
  endpoint: 'plain',
  p256dh: 'plain',
  auth: 'plain',
  userAgent: 'plain',
  createdAt: 'plain',
  failingSince: 'plain',
  dropped: 'plain',
})

/** A delivery as its table holds it: one of three columns says where it goes. */
type StoredDelivery = Omit<DeliveryRecord, 'to'> & {
  readonly webhookId: string | null
  readonly mailTo: string | null
  readonly pushId: string | null
  readonly accountId: string | null
}

export type DeliveryRow = RowOf<StoredDelivery>

export const DELIVERY = new Columns<StoredDelivery>({
  id: 'plain',
  webhookId: 'plain',
  mailTo: 'plain',
  pushId: 'plain',
  accountId: 'plain',
  type: 'plain',
  payload: 'plain',
  state: 'plain',
  createdAt: 'plain',
  giveUpAt: 'plain',
  nextAt: 'plain',
  tries: 'plain',
  attempts: 'json',
})

export function toWebhook(row: WebhookRow): WebhookRecord {
  const { previousSecret, previousUntil, disabledAt, disabledBy, ...rest } = WEBHOOK.read(row)
  return {
    ...rest,
    previous:
      previousSecret === null || previousUntil === null
        ? null
        : { secret: previousSecret, until: previousUntil },
    disabled:
      disabledAt === null || disabledBy === null ? null : { at: disabledAt, by: disabledBy },
  }
}

export function webhookRow({ previous, disabled, ...rest }: WebhookRecord): WebhookRow {
  return WEBHOOK.write({
    ...rest,
    previousSecret: previous?.secret ?? null,
    previousUntil: previous?.until ?? null,
    disabledAt: disabled?.at ?? null,
    disabledBy: disabled?.by ?? null,
  })
}

export function toDelivery(row: DeliveryRow): DeliveryRecord {
  const { webhookId, mailTo, pushId, accountId, ...rest } = DELIVERY.read(row)
  return { ...rest, to: targetOf({ webhookId, mailTo, pushId, accountId }) }
}

type StoredTarget = Pick<StoredDelivery, 'webhookId' | 'mailTo' | 'pushId' | 'accountId'>

function targetOf({ webhookId, mailTo, pushId, accountId }: StoredTarget): DeliveryTarget {
  if (webhookId !== null) return { kind: 'webhook', webhookId }
  if (pushId !== null && accountId !== null) {
    return { kind: 'push', subscriptionId: pushId, accountId }
  }
  return { kind: 'mail', address: mailTo ?? '', ...(accountId === null ? {} : { accountId }) }
}

export function deliveryRow({ to, ...rest }: DeliveryRecord): DeliveryRow {
  return DELIVERY.write({
    ...rest,
    webhookId: to.kind === 'webhook' ? to.webhookId : null,
    mailTo: to.kind === 'mail' ? to.address : null,
    pushId: to.kind === 'push' ? to.subscriptionId : null,
    accountId: to.kind === 'webhook' ? null : (to.accountId ?? null),
  })
}
