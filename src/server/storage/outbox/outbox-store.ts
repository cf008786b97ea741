import type { Alarm } from '../../../shared/webhook.ts'
import type {
  DeliveryRecord,
  DueDeliveries,
  OutboxStore,
  OutboxWrites,
  WebhookRecord,
} from '../../outbox/store.ts'
import type { Connection } from '../sqlite/database.ts'
import { ReadConnection } from '../sqlite/read-connection.ts'
import type { Transactions } from '../writer/transactions.ts'
import { OutboxReader } from './outbox-reader.ts'

/** Page cache in KiB: what is read again and again is one row. */
const CACHE_KIB = 1_024

/** Webhooks and deliveries in SQLite. Throws `StorageError`. */
export class SqliteOutboxStore implements OutboxStore {
  readonly #transactions: Transactions
  readonly #reading: ReadConnection<OutboxReader>

  /** `transactions`: those of the same database. Throws `StorageError`. */
  constructor(file: string, transactions: Transactions) {
    this.#transactions = transactions
    const options = { checkpoint: 'elsewhere', cacheKiB: CACHE_KIB } as const
    const prepare = (database: Connection) => new OutboxReader(database)
    this.#reading = new ReadConnection(file, options, prepare)
  }

  async transact<T>(work: (tx: OutboxWrites) => Promise<T>): Promise<T> {
    return await this.#transactions.transact('outbox', work)
  }

  async webhooks(): Promise<WebhookRecord[]> {
    return this.#reading.ask((reader) => reader.webhooks())
  }

  async delivery(id: string): Promise<DeliveryRecord | undefined> {
    return this.#reading.ask((reader) => reader.delivery(id))
  }

  async alarms(): Promise<Alarm[]> {
    return this.#reading.ask((reader) => reader.alarms())
  }

  async hasUncollected(): Promise<boolean> {
    return this.#reading.ask((reader) => {
      const { cursor, last, hasWebhooks, mailSince } = reader.state()
      return last > cursor && (hasWebhooks === 1 || mailSince !== null)
    })
  }

  async isMailing(): Promise<boolean> {
    return this.#reading.ask((reader) => reader.state().mailSince !== null)
  }

  async due(at: string, mails: number): Promise<DueDeliveries> {
    return this.#reading.ask((reader) => reader.due(at, mails))
  }

  async deliveriesOf(webhookId: string, limit: number): Promise<DeliveryRecord[]> {
    return this.#reading.ask((reader) => reader.deliveriesOf(webhookId, limit))
  }

  async pending(): Promise<ReadonlyMap<string, number>> {
    return this.#reading.ask((reader) => reader.pending())
  }

  revision(): number {
    return this.#reading.ask((reader) => reader.state().revision)
  }

  /** Closes the connection that reads. The transactions are closed by their owner. */
  close(): void {
    this.#reading.close()
  }
}
