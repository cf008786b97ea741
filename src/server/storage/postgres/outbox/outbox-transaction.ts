import type { Alarm } from '../../../../shared/webhook.ts'
import type { AuditEntry } from '../../../catalog/audit-log.ts'
import type {
  DeliveryRecord,
  OutboxWrites,
  Settlement,
  WebhookRecord,
} from '../../../outbox/store.ts'
import { appendAudit } from '../catalog/audit-log.ts'
import type { Transaction } from '../connection/database.ts'
import type { TransactionScope } from '../transactions/scope.ts'
import { collectEvents } from './collect.ts'
import { allWebhooks, deliveryById, raisedAlarms } from './outbox-reads.ts'
import * as writes from './outbox-writes.ts'

/** What the work of one transaction may do with the outbox, until its scope ends. */
export class PostgresOutboxTransaction implements OutboxWrites {
  readonly #scope: TransactionScope

  constructor(scope: TransactionScope) {
    this.#scope = scope
  }

  webhooks(): Promise<WebhookRecord[]> {
    return this.#scope.read((tx) => allWebhooks(tx))
  }

  delivery(id: string): Promise<DeliveryRecord | undefined> {
    return this.#scope.read((tx) => deliveryById(tx, id))
  }

  alarms(): Promise<Alarm[]> {
    return this.#scope.read((tx) => raisedAlarms(tx))
  }

  insertWebhook(webhook: WebhookRecord): Promise<void> {
    return this.#write((tx) => writes.insertWebhook(tx, webhook))
  }

  setWebhook(webhook: WebhookRecord): Promise<void> {
    return this.#write((tx) => writes.setWebhook(tx, webhook))
  }

  removeWebhook(id: string): Promise<void> {
    return this.#write((tx) => writes.removeWebhook(tx, id))
  }

  cancelDeliveries(webhookId: string): Promise<number> {
    return this.#write((tx) => writes.cancelDeliveries(tx, webhookId))
  }

  insertDelivery(delivery: DeliveryRecord): Promise<void> {
    return this.#write((tx) => writes.insertDelivery(tx, delivery))
  }

  requeue(id: string, at: string, giveUpAt: string): Promise<void> {
    return this.#write((tx) => writes.requeue(tx, id, at, giveUpAt))
  }

  settle(settlement: Settlement): Promise<void> {
    return this.#write((tx) => writes.settle(tx, settlement))
  }

  prune(before: string, keep: number): Promise<number> {
    return this.#write((tx) => writes.prune(tx, before, keep))
  }

  setMailing(mailing: boolean): Promise<void> {
    return this.#write((tx) => writes.setMailing(tx, mailing))
  }

  setAlarms(alarms: readonly Alarm[]): Promise<void> {
    return this.#write((tx) => writes.setAlarms(tx, alarms))
  }

  collect(limit: number, now: number): Promise<number> {
    return this.#write((tx) => collectEvents(tx, limit, now))
  }

  appendAudit(entry: AuditEntry): Promise<void> {
    return this.#write((tx) => appendAudit(tx, entry))
  }

  #write<T>(write: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#scope.write('outbox', write)
  }
}
