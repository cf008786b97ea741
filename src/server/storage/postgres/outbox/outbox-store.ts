import type { Alarm } from '../../../../shared/webhook.ts'
import type {
  DeliveryRecord,
  DueDeliveries,
  OutboxStore,
  OutboxTransactOptions,
  OutboxWrites,
  WebhookRecord,
} from '../../../outbox/store.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase, Queries } from '../connection/database.ts'
import { type PartOptions, PartTransactions } from '../transactions/transactions.ts'
import {
  allWebhooks,
  deliveriesOf,
  deliveryById,
  dueDeliveries,
  outboxState,
  pendingDeliveries,
  raisedAlarms,
} from './outbox-reads.ts'
import { PostgresOutboxTransaction } from './outbox-transaction.ts'

/** Webhooks and deliveries in PostgreSQL. Rejects with `StorageError`. */
export class PostgresOutboxStore implements OutboxStore {
  readonly #database: PostgresDatabase
  readonly #changes: Changes
  readonly #transactions: PartTransactions

  /** `changes`: of the same database. Both are closed by their owner. */
  constructor(database: PostgresDatabase, changes: Changes, options: PartOptions = {}) {
    this.#database = database
    this.#changes = changes
    this.#transactions = new PartTransactions(database, changes, 'outbox', options)
  }

  async transact<T>(
    work: (tx: OutboxWrites) => Promise<T>,
    options: OutboxTransactOptions = {},
  ): Promise<T> {
    return await this.#transactions.run(
      (scope) => work(new PostgresOutboxTransaction(scope)),
      options,
    )
  }

  webhooks(): Promise<WebhookRecord[]> {
    return this.#ask(allWebhooks)
  }

  delivery(id: string): Promise<DeliveryRecord | undefined> {
    return this.#ask((queries) => deliveryById(queries, id))
  }

  alarms(): Promise<Alarm[]> {
    return this.#ask(raisedAlarms)
  }

  async hasUncollected(): Promise<boolean> {
    const { cursor, last, hasWebhooks, mailSince } = await this.#ask(outboxState)
    return last > cursor && (hasWebhooks || mailSince !== null)
  }

  async isMailing(): Promise<boolean> {
    return (await this.#ask(outboxState)).mailSince !== null
  }

  async due(at: string, mails: number): Promise<DueDeliveries> {
    this.#transactions.refuseClosed()
    const question = (queries: Queries) => dueDeliveries(queries, at, mails)
    return await this.#database.transaction(question, { snapshot: true })
  }

  deliveriesOf(webhookId: string, limit: number): Promise<DeliveryRecord[]> {
    return this.#ask((queries) => deliveriesOf(queries, webhookId, limit))
  }

  pending(): Promise<ReadonlyMap<string, number>> {
    return this.#ask(pendingDeliveries)
  }

  revision(): number {
    return this.#changes.newest('outbox')
  }

  /** A transaction in progress is undone. */
  async close(): Promise<void> {
    await this.#transactions.close()
  }

  async #ask<T>(question: (queries: Queries) => Promise<T>): Promise<T> {
    this.#transactions.refuseClosed()
    return await question(this.#database)
  }
}
