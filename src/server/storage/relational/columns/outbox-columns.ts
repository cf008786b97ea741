import type {
  Attempt,
  DeliveryState,
  DisabledBy,
  WebhookFormat,
} from '../../../../shared/webhook.ts'
import type { DeliveryRecord, WebhookRecord } from '../../../outbox/store.ts'
import type { Columns } from './columns.ts'

/** A webhook as its table holds it. */
export interface WebhookRow {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly format: WebhookFormat
  readonly events: string
  readonly appKey: number | null
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousUntil: string | null
  readonly createdAt: string
  readonly disabledAt: string | null
  readonly disabledBy: DisabledBy | null
  readonly failingSince: string | null
  readonly dropped: number
  readonly revision: number
}

export const WEBHOOK = {
  id: 'id',
  name: 'name',
  url: 'url',
  format: 'format',
  events: 'events',
  appKey: 'app_key',
  secret: 'secret',
  previousSecret: 'previous_secret',
  previousUntil: 'previous_until',
  createdAt: 'created_at',
  disabledAt: 'disabled_at',
  disabledBy: 'disabled_by',
  failingSince: 'failing_since',
  dropped: 'dropped',
  revision: 'revision',
} as const satisfies Columns<WebhookRow>

export interface DeliveryRow {
  readonly id: string
  readonly webhookId: string | null
  readonly mailTo: string | null
  readonly type: string
  readonly payload: string
  readonly state: DeliveryState
  readonly createdAt: string
  readonly giveUpAt: string
  readonly nextAt: string | null
  readonly tries: number
  readonly attempts: string
}

export const DELIVERY = {
  id: 'id',
  webhookId: 'webhook_id',
  mailTo: 'mail_to',
  type: 'type',
  payload: 'payload',
  state: 'state',
  createdAt: 'created_at',
  giveUpAt: 'give_up_at',
  nextAt: 'next_at',
  tries: 'tries',
  attempts: 'attempts',
} as const satisfies Columns<DeliveryRow>

export function toWebhook(row: WebhookRow): WebhookRecord {
  const { events, previousSecret, previousUntil, disabledAt, disabledBy, ...rest } = row
  return {
    ...rest,
    events: JSON.parse(events),
    previous:
      previousSecret === null || previousUntil === null
        ? null
        : { secret: previousSecret, until: previousUntil },
    disabled:
      disabledAt === null || disabledBy === null ? null : { at: disabledAt, by: disabledBy },
  }
}

export function webhookParameters(webhook: WebhookRecord): WebhookRow {
  const { events, previous, disabled, ...rest } = webhook
  return {
    ...rest,
    events: JSON.stringify(events),
    previousSecret: previous?.secret ?? null,
    previousUntil: previous?.until ?? null,
    disabledAt: disabled?.at ?? null,
    disabledBy: disabled?.by ?? null,
  }
}

export function toDelivery({ webhookId, mailTo, attempts, ...row }: DeliveryRow): DeliveryRecord {
  const to: DeliveryRecord['to'] =
    webhookId === null ? { kind: 'mail', address: mailTo ?? '' } : { kind: 'webhook', webhookId }
  const parsed: Attempt[] = JSON.parse(attempts)
  return { ...row, to, attempts: parsed }
}

export function deliveryParameters({ to, attempts, ...delivery }: DeliveryRecord): DeliveryRow {
  return {
    ...delivery,
    webhookId: to.kind === 'webhook' ? to.webhookId : null,
    mailTo: to.kind === 'mail' ? to.address : null,
    attempts: JSON.stringify(attempts),
  }
}
