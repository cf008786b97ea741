import type { Alarm } from '../../../shared/webhook.ts'
import type { AuditEntry } from '../../catalog/audit-log.ts'
import type { DeliveryRecord, OutboxWrites, Settlement, WebhookRecord } from '../../outbox/store.ts'
import type { TransactionScope } from '../writer/transaction-scope.ts'
import type { OutboxReader } from './outbox-reader.ts'
import type { OutboxWriter } from './outbox-writer.ts'

/** What the work of one transaction may do with the outbox, until its scope ends. */
export class OutboxTransaction implements OutboxWrites {
  readonly #scope: TransactionScope<OutboxReader, OutboxWriter>

  constructor(scope: TransactionScope<OutboxReader, OutboxWriter>) {
    this.#scope = scope
  }

  async webhooks(): Promise<WebhookRecord[]> {
    return this.#scope.read((reader) => reader.webhooks())
  }

  async delivery(id: string): Promise<DeliveryRecord | undefined> {
    return this.#scope.read((reader) => reader.delivery(id))
  }

  async alarms(): Promise<Alarm[]> {
    return this.#scope.read((reader) => reader.alarms())
  }

  async insertWebhook(webhook: WebhookRecord): Promise<void> {
    this.#scope.write((writer) => writer.insertWebhook(webhook))
  }

  async setWebhook(webhook: WebhookRecord): Promise<void> {
    this.#scope.write((writer) => writer.setWebhook(webhook))
  }

  async removeWebhook(id: string): Promise<void> {
    this.#scope.write((writer) => writer.removeWebhook(id))
  }

  async cancelDeliveries(webhookId: string): Promise<number> {
    return this.#scope.write((writer) => writer.cancelDeliveries(webhookId))
  }

  async insertDelivery(delivery: DeliveryRecord): Promise<void> {
    this.#scope.write((writer) => writer.insertDelivery(delivery))
  }

  async requeue(id: string, at: string, giveUpAt: string): Promise<void> {
    this.#scope.write((writer) => writer.requeue(id, at, giveUpAt))
  }

  async collect(limit: number, now: number): Promise<number> {
    return this.#scope.write((writer) => writer.collect(limit, now))
  }

  async settle(settlement: Settlement): Promise<void> {
    this.#scope.write((writer) => writer.settle(settlement))
  }

  async prune(before: string, keep: number): Promise<number> {
    return this.#scope.write((writer) => writer.prune(before, keep))
  }

  async setMailing(mailing: boolean): Promise<void> {
    this.#scope.write((writer) => writer.setMailing(mailing))
  }

  async setAlarms(alarms: readonly Alarm[]): Promise<void> {
    this.#scope.write((writer) => writer.setAlarms(alarms))
  }

  async appendAudit(entry: AuditEntry): Promise<void> {
    this.#scope.write((writer) => writer.appendAudit(entry))
  }
}
