import type { Role } from '../../../shared/access/role.ts'
import type { DeliveryItem, WebhookItem } from '../../../shared/console/webhooks.ts'
import type { NotificationChoices } from '../../../shared/events/notifications.ts'
import type { Alarm, Attempt, EventType, SentType } from '../../../shared/events/webhook.ts'
import type { AuditEntry } from '../../catalog/audit-log.ts'
import type { TransactOptions } from '../../catalog/store.ts'

/** A webhook. Times are ISO 8601, UTC. */
export interface WebhookRecord
  extends Readonly<Omit<WebhookItem, 'app' | 'events' | 'pending' | 'previousSecretUntil'>> {
  readonly events: readonly EventType[]
  /** The one app whose events are sent; null for all, and for those of the server. */
  readonly appKey: number | null
  /** With the prefix `whsec_`. */
  readonly secret: string
  /** The secret before, with which deliveries are signed too until then. */
  readonly previous: { readonly secret: string; readonly until: string } | null
}

/** A browser in which a person gets push notifications. Times are ISO 8601, UTC. */
export interface PushSubscriptionRecord {
  readonly id: string
  readonly accountId: string
  /** The session that used it last; null once that has expired. */
  readonly sessionId: string | null
  /** Where its push service takes notifications: whoever knows it can send there, so it is a secret. */
  readonly endpoint: string
  /** The public key and the secret of the browser (RFC 8291, section 3), base64url. */
  readonly p256dh: string
  readonly auth: string
  readonly userAgent: string
  readonly createdAt: string
  /** Since when no attempt succeeded; null after a success. */
  readonly failingSince: string | null
  /** Notifications that were not queued because there were too many. */
  readonly dropped: number
}

/** Who is notified, with what they can see now. */
export interface Recipient {
  readonly serverRole: Role | null
  /** The refs of the apps in which they have a role. */
  readonly apps: readonly string[]
}

/** Something to send, to a webhook, by mail or as a push notification. */
export interface DeliveryRecord extends Readonly<Omit<DeliveryItem, 'attempts'>> {
  readonly to: DeliveryTarget
  readonly giveUpAt: string
  /** The latest attempts, oldest first. */
  readonly attempts: readonly Attempt[]
}

export type DeliveryTarget =
  | { readonly kind: 'webhook'; readonly webhookId: string }
  /** `accountId`: of the person who is notified; absent for mail that is sent whoever can see what. */
  | { readonly kind: 'mail'; readonly address: string; readonly accountId?: string }
  | { readonly kind: 'push'; readonly subscriptionId: string; readonly accountId: string }

/** What is sent to a webhook: the payload of Standard Webhooks. */
export interface OutboxEvent {
  readonly type: SentType
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What an attempt did to its delivery, and to its webhook or browser. */
export interface Settlement {
  readonly delivery: Pick<
    DeliveryRecord,
    'id' | 'state' | 'nextAt' | 'tries' | 'attempts' | 'payload'
  > & {
    /** When the attempt was due: another time means that it was queued again meanwhile. */
    readonly seen: string | null
  }
  readonly webhook?: { readonly id: string; readonly failingSince: string | null }
  readonly push?: { readonly id: string; readonly failingSince: string | null }
}

/** Deliveries to try: the earliest due one of every webhook and of every browser, and the due mails. */
export interface DueDeliveries {
  readonly deliveries: readonly DeliveryRecord[]
  readonly webhooks: readonly WebhookRecord[]
  /** Those that the deliveries go to. */
  readonly subscriptions: readonly PushSubscriptionRecord[]
  /** By the ID of the account; without those who are disabled. */
  readonly recipients: ReadonlyMap<string, Recipient>
}

/** Most due deliveries that are read of those that are limited together. */
export interface DueLimits {
  readonly mails: number
  readonly pushes: number
}

/** Questions to the outbox. Every answer is what is committed, or what this transaction wrote. */
export interface OutboxReads {
  /** All webhooks, oldest first. */
  webhooks(): Promise<WebhookRecord[]>
  delivery(id: string): Promise<DeliveryRecord | undefined>
  /** The alarms of the server that are raised. */
  alarms(): Promise<Alarm[]>
  /** How a person is notified; null for one who has chosen nothing. */
  choicesOf(accountId: string): Promise<NotificationChoices | null>
  /** The browsers of a person, oldest first. */
  subscriptionsOf(accountId: string): Promise<PushSubscriptionRecord[]>
  /** The private key that identifies the server to push services, as a JWK; null before it is made. */
  pushKey(): Promise<string | null>
}

/** Writes, inside a transaction only. */
export interface OutboxWrites extends OutboxReads {
  /** Adds a webhook, which gets the events after this transaction. */
  insertWebhook(webhook: WebhookRecord): Promise<void>
  /** Replaces what people set. A webhook that is enabled again gets the events after this transaction. */
  setWebhook(webhook: WebhookRecord): Promise<void>
  removeWebhook(id: string): Promise<void>
  /** Cancels what waits for a webhook. Returns how many. */
  cancelDeliveries(webhookId: string): Promise<number>
  insertDelivery(delivery: DeliveryRecord): Promise<void>
  /** Makes a delivery pending again, to be tried at once. */
  requeue(id: string, at: string, giveUpAt: string): Promise<void>
  /** Makes deliveries of the next entries of the audit log, at most `limit`. `now`: Unix milliseconds. Returns how many were read. */
  collect(limit: number, now: number): Promise<number>
  settle(settlement: Settlement): Promise<void>
  /** Deletes what was finished before then (push notifications: `pushBefore`), and more than the latest `keep` of each webhook. */
  prune(before: string, pushBefore: string, keep: number): Promise<number>
  /** Whether events are sent by mail: those after this transaction. */
  setMailing(mailing: boolean): Promise<void>
  setAlarms(alarms: readonly Alarm[]): Promise<void>
  setChoices(accountId: string, choices: NotificationChoices): Promise<void>
  setPushKey(key: string): Promise<void>
  /** Adds a browser, which gets the events after this transaction, in place of one with the same endpoint. */
  insertSubscription(subscription: PushSubscriptionRecord): Promise<void>
  setSubscriptionSession(id: string, sessionId: string): Promise<void>
  /** Removes a browser with what waits for it. */
  removeSubscription(id: string): Promise<void>
  /** How many browsers there are of all people. */
  countSubscriptions(): Promise<number>
  appendAudit(entry: AuditEntry): Promise<void>
}

export type OutboxTransactOptions = Pick<TransactOptions, 'leading'>

/** Where webhooks and deliveries are kept. `transact` runs `work` alone; when it rejects, nothing is written. */
export interface OutboxStore extends OutboxReads {
  transact<T>(work: (tx: OutboxWrites) => Promise<T>, options?: OutboxTransactOptions): Promise<T>
  /** Whether entries of the audit log wait for `collect`. Takes microseconds. */
  hasUncollected(): Promise<boolean>
  /** Whether a delivery has ended: `prune` deletes no other. */
  hasEnded(): Promise<boolean>
  /** Whether events are mailed. */
  isMailing(): Promise<boolean>
  due(at: string, limits: DueLimits): Promise<DueDeliveries>
  /** The latest deliveries of a webhook, newest first. */
  deliveriesOf(webhookId: string, limit: number): Promise<DeliveryRecord[]>
  /** How many deliveries wait, by webhook. */
  pending(): Promise<ReadonlyMap<string, number>>
  /** Grows with every change that a screen shows. Takes microseconds. */
  revision(): number
}
